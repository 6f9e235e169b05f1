/** The published form of the tool catalogue: the tools of each view, and the wire format of each. */
import { readdirSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import {
  type AssistantPermission,
  assistantPermissionNames,
  readingPermissions,
} from "../domain/assistant-permissions.ts";
import { type ListedTool, listedFunctions, listedTools } from "./tool-list.ts";
import { tools } from "./tools.ts";

const everything = { permissions: assistantPermissionNames };
const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name);
const snapshot = (name: string) => `./tools/snapshots/${name}.json`;
const written = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe("the list of tools", () => {
  test("holds all tools in the order of the catalogue when everything was granted", () => {
    expect(namesOf(listedTools(everything))).toEqual(Object.keys(tools));
  });

  test("is empty when nothing was granted", () => {
    expect(listedTools({ permissions: [] })).toEqual([]);
    expect(listedFunctions({ permissions: [] })).toEqual([]);
  });

  test.each(assistantPermissionNames)("holds for %s alone the tools that need it, and no other", (permission) => {
    const needing = Object.values(tools).filter((tool) => tool.permission === permission);
    expect(needing.length).toBeGreaterThan(0);
    expect(namesOf(listedTools({ permissions: [permission] }))).toEqual(namesOf(needing));
  });

  test("keeps the order of the catalogue, in whatever order and how often permissions are given", () => {
    const list = listedTools({ permissions: ["send_replies", "view_tags", "read_conversations", "view_tags"] });
    expect(namesOf(list)).toEqual([
      "list-conversations",
      "get-conversation",
      "search-conversations",
      "view-tags",
      "send-message",
    ]);
    expect(listedTools({ permissions: ["view_tags", "read_conversations", "send_replies"] })).toBe(list);
  });

  test("ignores a permission that there is not", () => {
    const permissions = ["view_tags", "delete_everything", "__proto__"] as AssistantPermission[];
    expect(namesOf(listedTools({ permissions }))).toEqual(["view-tags"]);
  });

  test("holds at the read-only address what reads, list-agents included, and can only be narrower", () => {
    const readOnly = namesOf(listedTools({ ...everything, readOnly: true }));
    expect(readOnly).toEqual(Object.keys(tools).slice(0, 10));
    expect(listedTools({ permissions: readingPermissions, readOnly: true })).toEqual(
      listedTools({ permissions: readingPermissions }),
    );
    expect(namesOf(listedTools({ permissions: ["assign_conversations"], readOnly: true }))).toEqual(["list-agents"]);
    expect(listedTools({ permissions: ["send_replies", "add_notes"], readOnly: true })).toEqual([]);
  });

  test("is made once for a view, and the same in both formats", () => {
    expect(listedTools(everything)).toBe(listedTools({ permissions: [...assistantPermissionNames], readOnly: false }));
    expect(listedFunctions(everything)).toBe(listedFunctions(everything));
    expect(listedFunctions(everything).map((entry) => entry.function.name)).toEqual(Object.keys(tools));
  });

  test("is right for every view, also when there are more of them than are remembered", () => {
    const views = Array.from({ length: 2_000 }, (_, number) => ({
      permissions: assistantPermissionNames.filter((_name, bit) => (number >> (bit % 11)) & 1),
      readOnly: number % 3 === 0,
    }));
    const first = listedTools({ permissions: ["add_notes", "add_tags"] });
    for (const { permissions, readOnly } of views) {
      const expected = Object.values(tools).filter(
        (tool) => permissions.includes(tool.permission) && (!readOnly || tool.annotations.readOnlyHint),
      );
      expect(namesOf(listedTools({ permissions, readOnly }))).toEqual(namesOf(expected));
    }
    const again = listedTools({ permissions: ["add_notes", "add_tags"] });
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  test("cannot be changed by who was handed it", () => {
    const [tool] = listedTools(everything);
    expect(() => (listedTools(everything) as ListedTool[]).pop()).toThrow(TypeError);
    expect(() => Object.assign(tool?.inputSchema.properties as object, { page: {} })).toThrow(TypeError);
    expect(Object.isFrozen(tool?.annotations)).toBe(true);
  });
});

describe.each(listedTools(everything).map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  test("is listed as its snapshot says; when the change is meant, run: npx vitest run --project core -u", async () => {
    await expect(written(tool)).toMatchFileSnapshot(snapshot(name));
  });

  test("has the parts of a tool that MCP knows, and its schemas have an object at the root", () => {
    expect(Object.keys(tool)).toEqual(["name", "title", "description", "inputSchema", "outputSchema", "annotations"]);
    expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(tool.outputSchema).toMatchObject({ type: "object" });
  });

  test("is a function that OpenAI takes: a short name, a short description, an object with properties", () => {
    const entry = listedFunctions(everything).find((each) => each.function.name === name);
    expect(entry).toEqual({
      type: "function",
      function: { name, description: tool.description, parameters: tool.inputSchema, strict: false },
    });
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(tool.description.length).toBeLessThanOrEqual(1_024);
    expect(Object.keys(tool.inputSchema)).toEqual(expect.arrayContaining(["type", "properties"]));
  });
});

test("no snapshot outlives its tool", () => {
  const files = readdirSync(new URL("./tools/snapshots", import.meta.url)).map((file) => file.replace(".json", ""));
  expect(files.filter((name) => !(name in tools) && name !== "token-weight")).toEqual([]);
});

/** The whole list, output schemas included; it takes from a model's context for the conversation. */
const TOKENS_MAX = 7_000;

test(`the whole list weighs at most ${TOKENS_MAX} tokens, by the tokenizer of OpenAI's models`, async () => {
  const weigh = (value: unknown) => countTokens(JSON.stringify(value));
  const list = listedTools(everything);
  const shown = list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const weight = {
    "whole list": weigh({ tools: list }),
    "names, descriptions and arguments": weigh(shown),
    "arguments alone": weigh(list.map(({ inputSchema }) => inputSchema)),
    "read-only list": weigh({ tools: listedTools({ ...everything, readOnly: true }) }),
    functions: weigh({ tools: listedFunctions(everything) }),
  };
  console.log(weight);
  expect(weight["whole list"]).toBeLessThanOrEqual(TOKENS_MAX);
  await expect(written(weight)).toMatchFileSnapshot(snapshot("token-weight"));
});
