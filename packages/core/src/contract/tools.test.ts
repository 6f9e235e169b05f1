/** The tool catalogue against the specification: "Assistant tool interface", "Limits", "Confirmation flow". */

import { closed, problemsOf } from "@frontdesk/testing/ajv";
import fastJsonStringify from "fast-json-stringify";
import { describe, expect, test } from "vitest";
import { assistantPermissionNames, assistantPermissions } from "../domain/assistant-permissions.ts";
import { policy } from "../domain/policy.ts";
import { ids } from "./examples.ts";
import type { Tool } from "./tool.ts";
import { CONFIRMATION_SENTENCE } from "./tool-fields.ts";
import { CONFIRMATION_SECONDS } from "./tool-resources.ts";
import { type ToolName, tools } from "./tools.ts";

const catalogue: readonly Tool[] = Object.values(tools);
const byName: Record<ToolName, Tool> = tools;
const each = catalogue.map((tool) => [tool.name, tool] as const);

/** The table of the specification; then the hints of the tool: it reads, changes, destroys, or reaches out. */
const SPECIFIED = [
  ["list-conversations", "read_conversations", "reads"],
  ["get-conversation", "read_conversations", "reads"],
  ["list-conversation-messages", "read_conversation_messages", "reads"],
  ["search-conversations", "read_conversations", "reads"],
  ["get-visitor", "read_visitor_details", "reads"],
  ["search-contacts", "search_contacts", "reads"],
  ["search-knowledge-base", "search_knowledge_base", "reads"],
  ["view-tags", "view_tags", "reads"],
  ["view-custom-fields", "view_custom_fields", "reads"],
  ["list-agents", "assign_conversations", "reads"],
  ["send-message", "send_replies", "reaches out"],
  ["resolve-conversation", "resolve_conversations", "destroys"],
  ["unresolve-conversation", "unresolve_conversations", "changes"],
  ["assign-conversation", "assign_conversations", "changes"],
  ["add-note", "add_notes", "changes"],
  ["add-tag", "add_tags", "changes"],
  ["remove-tag", "remove_tags", "destroys"],
  ["add-custom-data", "add_custom_data", "changes"],
  ["update-custom-data", "update_custom_data", "changes"],
  ["remove-custom-data", "remove_custom_data", "destroys"],
  ["handoff-to-human", "request_human_handoff", "changes"],
] as const;

const HINTS = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  destroys: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  "reaches out": { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
} as const;

const CONFIRMED: readonly ToolName[] = [
  "resolve-conversation",
  "unresolve-conversation",
  "assign-conversation",
  "remove-tag",
  "remove-custom-data",
];

describe("the tool catalogue", () => {
  test("holds the 21 tools of the specification in its order, each with its permission", () => {
    expect(catalogue.map(({ name, permission }) => [name, permission])).toEqual(
      SPECIFIED.map(([name, permission]) => [name, permission]),
    );
    expect(Object.keys(tools)).toEqual(catalogue.map(({ name }) => name));
  });

  test("names the permissions in the order in which the tools need them", () => {
    expect([...new Set(catalogue.map(({ permission }) => permission))]).toEqual(assistantPermissionNames);
  });

  test("has a permission that only reads where all its tools do, and nowhere else", () => {
    for (const permission of assistantPermissionNames) {
      const opened = catalogue.filter((tool) => tool.permission === permission);
      expect(opened.every(({ annotations }) => annotations.readOnlyHint)).toBe(
        assistantPermissions[permission].onlyReads,
      );
    }
  });

  test.each(SPECIFIED)("%s, behind %s, hints that it %s: all four hints are set", (name, _permission, does) => {
    expect(byName[name].annotations).toEqual(HINTS[does]);
  });

  test("has five tools that ask for a confirmation first", () => {
    expect(catalogue.filter(({ confirmed }) => confirmed).map(({ name }) => name)).toEqual(CONFIRMED);
  });
});

describe.each(each)("%s", (_name, tool) => {
  const input = tool.input as Tool["input"] & { additionalProperties?: boolean };

  test("has a name that every host takes, a title, and one to three sentences", () => {
    expect(tool.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(tool.name.length).toBeLessThanOrEqual(64);
    expect(tool.title).toMatch(/^[A-Z][^.]+[^.]$/);
    const sentences = tool.description.split(/(?<=\.)\s+/);
    expect(sentences.length).toBeLessThanOrEqual(3);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Za-z].*\.$/);
  });

  test("names no tool but those there are", () => {
    const named = tool.description.match(/\b[a-z]+(-[a-z]+)+\b/g) ?? [];
    expect(named.filter((word) => !(word in tools) && word !== "e-mail")).toEqual([]);
  });

  test("takes exactly the arguments of its list: another name is refused", () => {
    expect(input.additionalProperties).toBe(false);
    expect(problemsOf(input, { ...tool.example.input, team_id: ids.team })).toEqual(["/ additionalProperties"]);
    expect(problemsOf(input, [])).toEqual(["/ type"]);
  });

  test("takes only ids that are UUIDs, declared by their format and not by a pattern", () => {
    for (const [name, schema] of Object.entries(input.properties)) {
      const id: object = name.endsWith("_ids") ? ((schema as { items?: object }).items ?? {}) : schema;
      if (/_ids?$/.test(name)) expect(id).toEqual({ type: "string", format: "uuid" });
    }
  });

  test("has no choice of shapes in its arguments, which model providers refuse", () => {
    expect(keywordsOf(input)).not.toEqual(expect.arrayContaining([expect.stringMatching(/Of$|^not$|^if$|^\$/)]));
    expect(input.type).toBe("object");
    expect(input.properties).toBeDefined();
  });

  test("has an example that satisfies its schemas", () => {
    expect(problemsOf(tool.input, tool.example.input)).toEqual([]);
    expect(problemsOf(tool.output, tool.example.output)).toEqual([]);
  });

  test("answers an object of documented keys: a further one is noticed wherever it stands", () => {
    expect(tool.output).toMatchObject({ type: "object" });
    const exact = closed(tool.output);
    expect(problemsOf(exact, tool.example.output)).toEqual([]);
    const spoilt = withFurtherKeys(tool.example.output);
    expect(spoilt.length).toBeGreaterThan(0);
    for (const result of spoilt) expect(problemsOf(exact, result)).toContainEqual(expect.stringMatching(/additionalP/));
  });

  test("answers what is written as it is, and no further key comes out", () => {
    const write = fastJsonStringify(tool.output as object);
    expect(JSON.parse(write(tool.example.output))).toEqual(tool.example.output);
    for (const result of withFurtherKeys(tool.example.output)) {
      expect(JSON.parse(write(result))).toEqual(tool.example.output);
    }
  });

  test("asks for all that it answers: nothing is left out, but it may be null", () => {
    for (const shape of shapesOf(tool)) expect(shape.required).toEqual(Object.keys(shape.properties));
  });

  test("is performed by an operation that there is, when it names one", () => {
    if (tool.performs !== undefined) expect(policy).toHaveProperty(tool.performs);
  });
});

describe("what a tool answers", () => {
  const person = "id name email";
  const conversation =
    "id contact last_message widget_id origin origin_url email_subject is_resolved resolved_at ended_at created_at updated_at";

  /** Where in the result, and the keys that the specification gives there. */
  test.each([
    ["list-conversations", "", "conversations pagination"],
    ["list-conversations", "conversations.[]", conversation],
    ["list-conversations", "conversations.[].contact", person],
    ["list-conversations", "conversations.[].last_message", "id content type origin sender_type created_at"],
    ["list-conversations", "pagination", "page per_page has_more next_page"],
    ["get-conversation", "", "conversation"],
    [
      "get-conversation",
      "conversation",
      `${conversation} assigned_agents message_count social_account_identifier external_identifier resolved_by reopened_at`,
    ],
    ["get-conversation", "conversation.contact", `${person} phone country language timezone`],
    ["get-conversation", "conversation.assigned_agents.[]", person],
    ["list-conversation-messages", "", "conversation_id messages pagination"],
    [
      "list-conversation-messages",
      "messages.[]",
      "id conversation_id sort_number sender origin type content urls parent_id is_system_message edited_at created_at updated_at",
    ],
    ["list-conversation-messages", "messages.[].sender", `type ${person}`],
    ["list-conversation-messages", "pagination", "limit has_more next_before_sort_number"],
    ["search-conversations", "", "conversations"],
    ["search-conversations", "conversations.[]", "id email_subject origin is_resolved contact"],
    ["search-conversations", "conversations.[].contact", person],
    ["get-visitor", "", "visitor"],
    ["get-visitor", "visitor", `${person} phone country language timezone widget_id created_at`],
    ["search-contacts", "", "contacts"],
    ["search-contacts", "contacts.[]", `${person} phone widget_id`],
    ["search-knowledge-base", "", "results"],
    ["search-knowledge-base", "results.[]", "id question answer"],
    ["view-tags", "", "tags"],
    ["view-tags", "tags.[]", "id name color"],
    ["view-custom-fields", "", "custom_fields"],
    ["view-custom-fields", "custom_fields.[]", "id name"],
    ["list-agents", "", "agents"],
    ["list-agents", "agents.[]", `${person} status online_status`],
    ["send-message", "", "message"],
    ["send-message", "message", "id conversation_id content type created_at"],
    ["add-note", "", "note"],
    ["add-note", "note", "id conversation_id content created_at"],
    ["add-tag", "", "conversation_id chat_contact_id tag"],
    ["add-tag", "tag", "id name color"],
    ["add-custom-data", "", "visitor_id name value"],
    ["update-custom-data", "", "visitor_id name value"],
    ["handoff-to-human", "", "conversation_id status"],
  ] as const)("%s: at %j the keys of the specification", (name, path, keys) => {
    const [shape] = shapesOf(byName[name]);
    expect(keysAt(shape, path)).toEqual(keys.split(" ").sort());
  });

  test.each([
    ["resolve-conversation", "resolved_conversation_ids"],
    ["unresolve-conversation", "unresolved_conversation_ids"],
    ["assign-conversation", "agent_id agent assigned_conversation_ids"],
    ["remove-tag", "conversation_id chat_contact_id removed_tag"],
    ["remove-custom-data", "visitor_id removed_field"],
  ] as const)("%s: once confirmed, the keys of the specification", (name, keys) => {
    expect(shapesOf(byName[name]).map((shape) => keysAt(shape, ""))).toContainEqual(keys.split(" ").sort());
  });
});

describe("a confirmed tool", () => {
  const asked = {
    confirmation_required: true,
    confirmation_token: "t",
    affected_count: 1,
    message: "Resolve the conversation with Vera?",
    expires_in_seconds: CONFIRMATION_SECONDS,
  };
  const queued = { queued: true, queued_conversation_ids: [ids.conversation], skipped_conversation_ids: [] };
  const ambiguous = { ambiguous: true, candidates: [{ id: ids.ada, name: "Ada", email: null }] };
  const accepts = (name: ToolName, result: object) => problemsOf(closed(byName[name].output), result).length === 0;

  test("says so, and for how long its token is valid", () => {
    expect(CONFIRMATION_SENTENCE).toContain(`within ${CONFIRMATION_SECONDS} seconds`);
    for (const tool of catalogue) {
      expect(tool.description.includes(CONFIRMATION_SENTENCE), tool.name).toBe(tool.confirmed === true);
      expect("confirmation_token" in tool.input.properties, tool.name).toBe(tool.confirmed === true);
    }
  });

  test("can answer with the request for a confirmation, and no other tool can", () => {
    for (const { name } of catalogue) {
      expect(accepts(name as ToolName, asked), name).toBe(CONFIRMED.includes(name as ToolName));
      expect(accepts(name as ToolName, { ...asked, confirmation_required: false }), name).toBe(false);
    }
  });

  test("can answer that the work is queued when it takes several conversations", () => {
    const taking = catalogue.filter(({ input }) => "conversation_ids" in input.properties).map(({ name }) => name);
    expect(taking).toEqual(["resolve-conversation", "unresolve-conversation", "assign-conversation"]);
    for (const name of CONFIRMED) {
      expect(accepts(name, queued), name).toBe(taking.includes(name));
      expect(accepts(name, { ...queued, queued: false }), name).toBe(false);
    }
  });

  test("can answer that several agents match, when it assigns", () => {
    for (const name of CONFIRMED) expect(accepts(name, ambiguous), name).toBe(name === "assign-conversation");
  });

  test("writes each of its shapes as it is, and no further key", () => {
    const write = fastJsonStringify(tools["assign-conversation"].output as object);
    for (const result of [asked, queued, ambiguous]) {
      expect(JSON.parse(write(result as never))).toEqual(result);
      expect(JSON.parse(write({ ...result, team_secret: "x" } as never))).toEqual(result);
    }
  });

  test("answers in one shape at a time, each known by a key of its own", () => {
    for (const name of CONFIRMED) {
      const shapes = shapesOf(byName[name]).map(({ required }) => required ?? []);
      for (const own of shapes) {
        const others = shapes.filter((shape) => shape !== own).flat();
        expect(
          own.some((key) => !others.includes(key)),
          name,
        ).toBe(true);
      }
      expect(accepts(name, { ...asked, ...byName[name].example.output }), name).toBe(false);
    }
  });
});

describe("bounds", () => {
  const uuids = (count: number) => Array(count).fill(ids.conversation);
  const page = { fits: [1, 10_000], breaks: { minimum: 0, maximum: 10_001 } };
  const integerOf = (max: number) => ({ fits: [1, max], breaks: { minimum: 0, maximum: max + 1 } });
  const textOf = (min: number, max: number) => ({
    fits: ["x".repeat(min), "🙂".repeat(max)],
    breaks: { ...(min > 0 && { minLength: "" }), maxLength: "x".repeat(max + 1) },
  });
  const id = { fits: [ids.vera, ids.vera.toUpperCase()], breaks: { format: "vera" } };
  const idList = {
    fits: [uuids(1), uuids(100)],
    breaks: { minItems: [], maxItems: uuids(101), "0 format": ["vera"], "0 type": [7] },
  };
  const flag = { fits: [true, false], breaks: { type: "true" } };

  const BOUNDS: Record<ToolName, Record<string, { fits: unknown[]; breaks: Record<string, unknown> }>> = {
    "list-conversations": {
      status: { fits: ["all", "unresolved", "resolved"], breaks: { enum: "open" } },
      page,
      per_page: integerOf(100),
    },
    "get-conversation": { conversation_id: id },
    "list-conversation-messages": {
      conversation_id: id,
      limit: integerOf(100),
      before_sort_number: { fits: ["1", String(10 ** 14)], breaks: { maxLength: "1".repeat(16), type: 3 } },
      include_system_messages: flag,
      include_internal_messages: flag,
    },
    "search-conversations": { query: textOf(1, 255), limit: integerOf(50) },
    "get-visitor": { visitor_id: id },
    "search-contacts": { query: textOf(1, 255), limit: integerOf(50) },
    "search-knowledge-base": { query: textOf(1, 255), limit: integerOf(50) },
    "view-tags": {},
    "view-custom-fields": {},
    "list-agents": { query: textOf(0, 255), limit: integerOf(100) },
    "send-message": { conversation_id: id, content: textOf(1, 10_000) },
    "resolve-conversation": { conversation_ids: idList, confirmation_token: textOf(1, 255) },
    "unresolve-conversation": { conversation_ids: idList, confirmation_token: textOf(1, 255) },
    "assign-conversation": {
      conversation_ids: idList,
      agent_id: id,
      agent_query: textOf(1, 255),
      confirmation_token: textOf(1, 255),
    },
    "add-note": { conversation_id: id, content: textOf(1, 10_000) },
    "add-tag": { conversation_id: id, name: textOf(1, 100), color: textOf(0, 50) },
    "remove-tag": { conversation_id: id, name: textOf(1, 100), confirmation_token: textOf(1, 255) },
    "add-custom-data": { visitor_id: id, name: textOf(1, 100), value: textOf(0, 1_000) },
    "update-custom-data": { visitor_id: id, name: textOf(1, 100), value: textOf(0, 1_000) },
    "remove-custom-data": { visitor_id: id, name: textOf(1, 100), confirmation_token: textOf(1, 255) },
    "handoff-to-human": { conversation_id: id },
  };

  test.each(each)("of %s hold at their edge and not past it", (name, { input, example }) => {
    const bounds = BOUNDS[name as ToolName];
    expect(Object.keys(input.properties)).toEqual(Object.keys(bounds));
    for (const [argument, { fits, breaks }] of Object.entries(bounds)) {
      const problemsWith = (value: unknown) => problemsOf(input, { ...example.input, [argument]: value });
      for (const value of fits) expect(problemsWith(value), argument).toEqual([]);
      for (const [problem, value] of Object.entries(breaks)) {
        const place = problem.includes(" ") ? `/${argument}/${problem}` : `/${argument} ${problem}`;
        expect(problemsWith(value), argument).toEqual([place]);
      }
      // Nothing is converted, and nothing that is left out may be sent as null.
      expect(problemsWith(null), argument).toContain(`/${argument} type`);
      if (typeof fits[0] === "number") expect(problemsWith("1"), argument).toEqual([`/${argument} type`]);
    }
  });

  test.each([
    ["list-conversations", [], { status: "all", page: 1, per_page: 25 }],
    ["get-conversation", ["conversation_id"], {}],
    [
      "list-conversation-messages",
      ["conversation_id"],
      { limit: 50, include_system_messages: false, include_internal_messages: false },
    ],
    ["search-conversations", ["query"], { limit: 20 }],
    ["get-visitor", ["visitor_id"], {}],
    ["search-contacts", ["query"], { limit: 20 }],
    ["search-knowledge-base", ["query"], { limit: 20 }],
    ["view-tags", [], {}],
    ["view-custom-fields", [], {}],
    ["list-agents", [], { limit: 50 }],
    ["send-message", ["conversation_id", "content"], {}],
    ["resolve-conversation", ["conversation_ids"], {}],
    ["unresolve-conversation", ["conversation_ids"], {}],
    ["assign-conversation", ["conversation_ids"], {}],
    ["add-note", ["conversation_id", "content"], {}],
    ["add-tag", ["conversation_id", "name"], {}],
    ["remove-tag", ["conversation_id", "name"], {}],
    ["add-custom-data", ["visitor_id", "name", "value"], {}],
    ["update-custom-data", ["visitor_id", "name", "value"], {}],
    ["remove-custom-data", ["visitor_id", "name"], {}],
    ["handoff-to-human", ["conversation_id"], {}],
  ] as const)("%s requires %j, and its defaults are those of the specification", (name, required, defaults) => {
    const { input } = byName[name];
    expect(problemsOf(input, {})).toEqual(required.map((argument) => `/ required ${argument}`));
    const properties = Object.entries(input.properties as Record<string, { default?: unknown }>);
    const usual = properties.flatMap(([argument, schema]) => ("default" in schema ? [[argument, schema.default]] : []));
    expect(Object.fromEntries(usual)).toEqual(defaults);
  });
});

interface Shape {
  properties: Record<string, Shape>;
  required?: string[];
  items?: Shape;
}

/** The shapes that a result can have: several for a confirmed tool. */
function shapesOf(tool: Tool): [Shape, ...Shape[]] {
  const output = tool.output as unknown as Shape & { anyOf?: [Shape, ...Shape[]] };
  return output.anyOf ?? [output];
}

/** The keys at a place of a result, `[]` for the items of a list, in alphabetical order. */
function keysAt(shape: Shape, path: string): string[] {
  let place: Shape | undefined = shape;
  for (const step of path.split(".").filter(Boolean)) place = step === "[]" ? place?.items : place?.properties[step];
  return Object.keys(place?.properties ?? {}).sort();
}

/** Every key of a schema, at any depth. */
function keywordsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => [
    key,
    ...(value !== null && typeof value === "object" ? keywordsOf(value) : []),
  ]);
}

/** Copies of a result, each with one key too many in one of its objects. */
function withFurtherKeys(result: object): object[] {
  const own = Array.isArray(result) ? [] : [{ ...result, team_secret: "x" }];
  const inner = Object.entries(result).flatMap(([key, value]) => {
    if (value === null || typeof value !== "object") return [];
    return withFurtherKeys(value).map((spoilt) =>
      Array.isArray(result) ? result.with(Number(key), spoilt) : { ...result, [key]: spoilt },
    );
  });
  return [...own, ...inner];
}
