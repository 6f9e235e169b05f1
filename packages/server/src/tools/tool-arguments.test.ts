/** The validation of arguments: specification, "Assistant tool interface" and "Limits"; decision 61. */
import type { Tool } from "@frontdesk/core/contract/tool";
import { type ToolName, tools } from "@frontdesk/core/contract/tools";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { connect, type ToolCaller } from "@frontdesk/testing/tool-caller";
import { fittingArguments, openShop, type SceneContact } from "@frontdesk/testing/tool-scene";
import { beforeAll, describe, expect, test } from "vitest";
import { loggedArguments } from "./tool-arguments.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { app, runtime } = kit;

/** What a schema says of one argument. */
interface Bounds {
  type: "string" | "integer" | "boolean" | "array";
  enum?: string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

const each = (Object.entries(tools) as [ToolName, Tool][]).map(([name, tool]) => [name, tool] as const);
const boundsOf = ({ input }: Tool) => Object.entries(input.properties as Record<string, Bounds>);
const asked = each.flatMap(([name, tool]) =>
  boundsOf(tool).map(([argument, bounds]) => [name, argument, bounds] as const),
);

let acme: TestTeam;
let vera: SceneContact;
let robin: ToolCaller;

beforeAll(async () => {
  ({ acme, vera } = await openShop(kit));
  robin = await connect(app, acme);
});

/** The one text that only looks like a number. */
const CURSOR = "before_sort_number";

const ALL_WRONG = "Some arguments are not valid.";
const refusedOn = (errors: Record<string, string[]>) => [422, { message: ALL_WRONG, errors }];

describe.each(asked)("%s, %s", (name, argument, bounds) => {
  const call = async (value: unknown) => {
    const { status, body } = await robin.call(name, { ...fittingArguments(vera, acme)[name], [argument]: value });
    return [status, body] as const;
  };

  test("takes what is within its bounds, to the edge", async () => {
    for (const value of edges(bounds, argument)) {
      const [status, body] = await call(value);
      // Arguments within the bounds may still name resources that do not exist.
      if (status === 200) continue;
      expect(status).toBe(/^(conversation|visitor)_ids?$/.test(argument) ? 404 : 422);
      const said = body.message === ALL_WRONG ? JSON.stringify(body.errors) : body.message;
      expect(said).toMatch(/not found|No agent's name|This confirmation is invalid/);
    }
  });

  test("refuses what is past them, says how, and changes nothing", async () => {
    const before = await acme.events();
    for (const [value, problem, place = argument] of wrong(bounds, argument)) {
      expect(await call(value), JSON.stringify(value)?.slice(0, 80)).toEqual(refusedOn({ [place]: [problem] }));
    }
    // Every change is an event.
    expect(await acme.events()).toEqual(before);
  });
});

describe.each(each)("%s", (name, tool) => {
  test("asks for each argument that it needs, and for all of them at once", async () => {
    const needed = (tool.input as { required?: string[] }).required ?? [];
    const given = fittingArguments(vera, acme)[name];
    for (const argument of needed) {
      const { status, body } = await robin.call(name, { ...given, [argument]: undefined });
      expect([status, body]).toEqual(refusedOn({ [argument]: ["This field is required."] }));
    }
    for (const nothing of [{}, undefined, "null"]) {
      const { status, body } = await robin.call(name, nothing);
      if (needed.length === 0) expect(status).toBe(200);
      else {
        const errors = needed.map((argument) => [argument, ["This field is required."]]);
        expect([status, body]).toEqual(refusedOn(Object.fromEntries(errors)));
      }
    }
  });

  test("takes no argument that it does not know, so that a misspelt one is not taken for left out", async () => {
    const given = fittingArguments(vera, acme)[name];
    for (const unknown of ["team_id", "conversationId", "constructor", "__proto__"]) {
      const { status, text } = await robin.call(name, JSON.stringify({ ...given, [unknown]: acme.teamId }));
      const refused = { message: ALL_WRONG, errors: { [unknown]: ["Unknown field."] } };
      expect([status, text]).toEqual([422, JSON.stringify(refused)]);
    }
  });

  test("takes one object of arguments, and no other JSON", async () => {
    for (const body of ["[]", '"x"', "7", "true", `[${JSON.stringify(fittingArguments(vera, acme)[name])}]`]) {
      const answer = await robin.call(name, body);
      expect([body, answer.status, answer.body]).toEqual([body, ...refusedOn({ body: ["Must be an object."] })]);
    }
  });
});

test("a body that cannot be read has another error than arguments that do not fit", async () => {
  const content = "https://acme.test/a";
  const read = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await robin.call("view-tags", body, headers);
    return [answer.status, Object.keys(answer.body)];
  };
  expect(await read("{")).toEqual([400, ["message"]]);
  expect(await read("a=b", { "content-type": "application/x-www-form-urlencoded" })).toEqual([415, ["message"]]);
  expect(await read(JSON.stringify({ content: content.repeat(60_000) }))).toEqual([413, ["message"]]);
  expect(await read('{"a": 1, "a": 2}')).toEqual([422, ["message", "errors"]]);
  expect(await read('{"a": "\\u0000"}')).toEqual([422, ["message", "errors"]]);
});

test("the log keeps arguments as they came, and no token among them, wherever a model has put it", async () => {
  const { confirmation_token: token } = await robin.result("remove-tag", fittingArguments(vera, acme)["remove-tag"]);
  expect(loggedArguments({ name: "Shipping", confirmation_token: "anything" })).toBe(
    '{"name":"Shipping","confirmation_token":"given"}',
  );
  for (const given of [
    { confirmationToken: token },
    { name: `with ${token}!` },
    { [token]: 1 },
    [robin.token],
    { a: acme.apiKey },
  ]) {
    expect(loggedArguments(given)).not.toMatch(/fd_\w+_\w{20}/);
  }
  expect(loggedArguments(undefined)).toBe("{}");
  expect(loggedArguments({ content: "x".repeat(70_000) })).toBe('{"too_long":70014}');
});

/** Values at the edges of what an argument takes. */
function edges({ type, minLength = 0, maxLength = 0, ...bounds }: Bounds, argument: string): unknown[] {
  if (bounds.enum) return bounds.enum;
  switch (type) {
    case "boolean":
      return [true, false];
    case "integer":
      return [bounds.minimum, bounds.maximum];
    case "array":
      return [[runtime.newId()], Array.from({ length: bounds.maxItems ?? 0 }, () => runtime.newId())];
    case "string":
      if (bounds.format === "uuid") return [runtime.newId(), vera.conversationId.toUpperCase()];
      if (argument === CURSOR) return ["0", "1", "9".repeat(15)];
      // A character outside the basic plane is one character, and two of JavaScript's.
      return ["x".repeat(minLength), "x".repeat(maxLength), "🙂".repeat(maxLength)].map((text) =>
        argument === "name" && text.trim() === "" ? "x" : text,
      );
    default:
      return type satisfies never;
  }
}

/** Values past the bounds, each with its error and, where that is not the argument itself, the field. */
function wrong({ type, ...bounds }: Bounds, argument: string): [unknown, string, string?][] {
  const { minLength, maxLength = 0, minimum = 0, maximum = 0 } = bounds;
  if (bounds.enum) {
    const words = `Must be one of ${bounds.enum.join(", ")}.`;
    return [
      ["open", words],
      ["", words],
      [bounds.enum[0]?.toUpperCase(), words],
    ];
  }
  switch (type) {
    case "boolean":
      return ["true", 1, null, "", []].map((value) => [value, "Must be a boolean."]);
    case "integer":
      return [
        [minimum - 1, `Must be at least ${minimum}.`],
        [maximum + 1, `Must be at most ${maximum}.`],
        [-1, `Must be at least ${minimum}.`],
        ...[1.5, "1", null, true, [1]].map((value): [unknown, string] => [value, "Must be an integer."]),
      ];
    case "array": {
      const ids = Array.from({ length: (bounds.maxItems ?? 0) + 1 }, () => runtime.newId());
      return [
        [[], "Must not be empty."],
        [ids, `Must have at most ${bounds.maxItems} items.`],
        [["vera"], "Must be a UUID.", `${argument}.0`],
        [[ids[0], null], "Must be a string.", `${argument}.1`],
        ...[ids[0], null, {}].map((value): [unknown, string] => [value, "Must be an array."]),
      ];
    }
    case "string": {
      const types = [7, null, true, ["x"], {}].map((value): [unknown, string] => [value, "Must be a string."]);
      if (bounds.format === "uuid") {
        const close = runtime.newId();
        const ids = ["vera", "", close.slice(1), `${close}0`, ` ${close}`, `{${close}}`, "' or 1=1 --"];
        return [...types, ...ids.map((value): [unknown, string] => [value, "Must be a UUID."])];
      }
      if (argument === CURSOR) {
        const cursors = ["", "next", "-1", "1.5", " 1", "1e3", "٣"];
        return [
          ...types,
          ...cursors.map((value): [unknown, string] => [
            value,
            'Must be a number as a string, such as "41", from next_before_sort_number in an earlier response. Leave it out to get the newest messages.',
          ]),
        ];
      }
      return [
        ...types,
        ...(minLength ? [["", "Must not be empty."] as [unknown, string]] : []),
        ["x".repeat(maxLength + 1), `Must have at most ${maxLength} characters.`],
        ["🙂".repeat(maxLength + 1), `Must have at most ${maxLength} characters.`],
      ];
    }
    default:
      return type satisfies never;
  }
}
