/** Values for a JSON Schema: those it takes, with its bounds tried often, and those that are wrong in one way. */
import { codePoint } from "@frontdesk/testing/code-point";
import fc, { type Arbitrary } from "fast-check";
import type { Schema } from "./documented-operations.ts";

/** A string of this form becomes a real id of that kind when the request is sent, if one is known by then. */
export const idPlaceholder = (kind: IdKind, pick: number): string => `{{${kind}:${pick}}}`;

export type IdKind =
  | "widget"
  | "channel"
  | "contact"
  | "conversation"
  | "message"
  | "agent"
  | "webhook"
  | "delivery"
  | "assistant"
  | "article"
  | "erasure"
  | "run"
  | "export";

const PICKS = 200;
/** Ids that name nothing, and texts that are no id. (Not `events` and not `permissions`, `check`: /webhooks/events is another operation.) */
const STRANGE_IDS = [
  "01980c61-13aa-7e02-b3f5-27d9a6c41e03",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "vera",
  "7",
  "-1",
  "null",
  "initialize",
  "' or 1=1 --",
  "%",
  "..",
  "../widgets",
  "a/b",
  "\\",
  "{}",
  "\u{1F600}",
  "__proto__",
];

/** An id: most often a real one, in capitals now and then, else one that names nothing. */
export function anId(kind: IdKind): Arbitrary<string> {
  const real = fc.nat(PICKS).map((pick) => idPlaceholder(kind, pick));
  return fc.oneof(
    { weight: 12, arbitrary: real },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGE_IDS) },
    { weight: 1, arbitrary: fc.uuid() },
  );
}

/** What `id` is in a path that begins so. */
const kindBelow: Record<string, IdKind> = {
  agents: "agent",
  channels: "channel",
  contacts: "contact",
  erasures: "erasure",
  exports: "export",
  messages: "message",
};

/** What a field of this name holds the id of, or a list of ids; undefined for other fields. */
export function idKindOf(name: string, path: string): IdKind | undefined {
  switch (name) {
    case "widget":
    case "widget_id":
    case "widgetId":
    case "widgets":
      return "widget";
    case "contact_id":
      return "contact";
    case "conversation_id":
      return "conversation";
    case "agent_id":
      return "agent";
    case "channel_id":
      return "channel";
    case "webhook":
    case "delivery":
    case "assistant":
    case "article":
    case "run":
      return name;
    case "id":
      return kindBelow[path.split("/")[1] ?? ""];
    default:
      return undefined;
  }
}

/** Texts that programs have stumbled over. */
export const ODD_TEXTS = [
  "",
  " ",
  "\t\n",
  "\ufeff",
  "\ufffd",
  "\u202egnp.exe",
  "\u200b\u200d",
  "e\u0301\u0323\u0302",
  `Z${"\u0351".repeat(300)}`,
  "\u{10ffff}\u{1F469}\u200d\u{1F4BB}",
  "İıſßẞΣςﬁ",
  "\u2028\u2029",
  "\u0001\u001f\u007f\u0085",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "true",
  "0",
  "-0",
  "1e309",
  "'; DROP TABLE contacts; --",
  '" OR ""="',
  "%_\\",
  "a\\",
  "$\u007bjndi:ldap://a}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "+4915112345678",
  "vera0@visitor.test",
  "VERA0@VISITOR.TEST",
  "vera@visitor.test\r\nBcc: a@b.test",
  "http://[::1",
  "https://user:pass@a.test/",
  "https://a.test/\u0000",
  "2026-02-31T00:00:00Z",
  "2026-11-20T24:00:00Z",
  "2026-12-31T23:59:60Z",
  "9999-12-31T23:59:59.999+23:59",
  "0000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
];

/** Texts with NUL or half a surrogate pair, which nobody can store: those that reach a field must be refused. */
const UNSTORABLE_TEXTS = ["\u0000", "a\u0000b", "vera\u0000", "\ud800", "\udc00\ud800", "x\udfff"];

/** Any text: words, odd ones, all of Unicode, halves of surrogate pairs. */
export const anyText: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...UNSTORABLE_TEXTS) },
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: codePoint, maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
  },
);

/** Text that can be stored: no NUL and no half pair, which are refused wherever they stand. */
const storableText = anyText.map((text) => text.replaceAll("\0", "").toWellFormed());

/** Few addresses, so that they meet again, in several cases; and now and then any. */
const anEmail = fc.oneof(
  { weight: 4, arbitrary: fc.nat(12).map((pick) => `vera${pick}@visitor.test`) },
  { weight: 1, arbitrary: fc.nat(12).map((pick) => `Vera${pick}@Visitor.TEST`) },
  { weight: 2, arbitrary: fc.nat(100_000).map((pick) => `agent${pick}@acme.test`) },
  { weight: 1, arbitrary: fc.emailAddress() },
);

const aTime = fc.oneof(
  fc
    .date({ min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((d) => d.toISOString()),
  fc.constantFrom("2026-11-20T12:00:00Z", "2026-11-20T12:00:00+02:00", "2026-11-20T12:00:00.123456789Z"),
);

/** Under `.test`, which is nobody's: what is subscribed is delivered to. */
const aUrl = fc.oneof(
  fc
    .webUrl({ validSchemes: ["https", "http"], withQueryParameters: true })
    .map((url) => url.replace(/^https?:\/\/[^/?#]+/, "$&.test")),
  fc.nat(50).map((pick) => `https://files.test/${pick}.png`),
  fc.constantFrom("https://a", "HTTPS://ä.test/ü?x=\u{1F600}#y", "https://[::1]:8443/hook", "https://10.0.0.1/"),
);

/** A value that the schema takes. `name` and `path` say where it stands, so that ids are of the right kind. */
export function rightValue(schema: Schema, name: string, path: string): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  const types = ([] as string[]).concat(schema.type ?? []);
  const plain = types.filter((type) => type !== "null").map((type) => rightOfType(type, schema, name, path));
  const value = plain.length === 1 ? (plain[0] as Arbitrary<unknown>) : fc.oneof(...plain);
  return types.includes("null") ? fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: NULL }) : value;
}

const NULL = fc.constant(null);

function rightOfType(type: string, schema: Schema, name: string, path: string): Arbitrary<unknown> {
  switch (type) {
    case "string":
      return rightText(schema, name, path);
    case "integer":
      return rightInteger(schema);
    case "boolean":
      return fc.boolean();
    case "array": {
      const { minItems = 0, maxItems = 3, items = {} } = schema;
      const item = rightValue(items, name, path);
      return fc.oneof(
        { weight: 8, arbitrary: fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2) }) },
        {
          weight: 1,
          arbitrary: fc.array(item, { minLength: Math.min(maxItems, 9), maxLength: Math.min(maxItems, 9) }),
        },
      );
    }
    case "object":
      return rightObject(schema, path);
    default:
      throw new Error(`No values are known for the type ${type} of ${name}.`);
  }
}

function rightObject({ properties = {}, required = [], minProperties = 0 }: Schema, path: string): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, rightValue(schema, name, path)] as const);
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= minProperties);
}

function rightText(schema: Schema, name: string, path: string): Arbitrary<string> {
  const { enum: choices, format, pattern, minLength = 0, maxLength = 255 } = schema;
  const kind = idKindOf(name, path);
  // A word that stands for all of them is no id.
  if (kind && pattern === undefined) return anId(kind);
  if (choices) return fc.constantFrom(...(choices.filter((choice) => choice !== null) as string[]));
  if (format === "email") return anEmail;
  if (format === "date-time") return aTime;
  if (pattern?.includes("://"))
    return aUrl.map((url) => (/\[Ss\]:/.test(pattern) ? url.replace(/^http:/, "https:") : url));
  const names = pattern && fieldNames(pattern);
  if (names) return fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }).map((list) => list.join(","));
  if (pattern) return fc.stringMatching(new RegExp(pattern, "u"));
  return fc.oneof(
    {
      weight: 12,
      arbitrary: storableText.map((text) => [...text].slice(0, maxLength).join("") || "a".repeat(minLength)),
    },
    { weight: 1, arbitrary: fc.constantFrom("a", "\u{1F642}", "é").map((unit) => unit.repeat(maxLength)) },
    { weight: 1, arbitrary: fc.constant("a".repeat(minLength)) },
  );
}

/** The names in a pattern for a list of names (`include_fields`); undefined for other patterns. */
function fieldNames(pattern: string): string[] | undefined {
  return /^\^\(([a-z_|]+)\)\(,\(\1\)\)\*\$$/.exec(pattern)?.[1]?.split("|");
}

function rightInteger({ minimum = -1_000, maximum = 1_000 }: Schema): Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum, Math.min(maximum, 2 ** 31)) },
  );
}

/** Numbers that cannot be written by `JSON.stringify`; put into the text of a body in place of this one. */
export const NUMBER_PLACEHOLDER = 123_454_321;
export const STRANGE_NUMBERS = [
  "1e999",
  "-1e999",
  "-0",
  "1E400",
  "9007199254740993",
  "18446744073709551616",
  "1.0",
  "5e-324",
  "0.1e1",
];

/** A value that the schema refuses, or that is at least strange for it. */
export function wrongValue(schema: Schema): Arbitrary<unknown> {
  const { maxLength, minimum, maximum, maxItems } = schema;
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, 1e21, "", "5", [], {}, [[]], [null]),
    },
    { weight: 1, arbitrary: fc.constant(NUMBER_PLACEHOLDER) },
    { weight: 4, arbitrary: anyText },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    ...(maxLength === undefined
      ? [{ weight: 1, arbitrary: fc.constantFrom(1_000, 70_000).map((length) => "x".repeat(length)) }]
      : [{ weight: 4, arbitrary: fc.constantFrom("a", "\u{1F642}").map((unit) => unit.repeat(maxLength + 1)) }]),
    ...(minimum === undefined ? [] : [{ weight: 2, arbitrary: fc.constant(minimum - 1) }]),
    ...(maximum === undefined ? [] : [{ weight: 2, arbitrary: fc.constant(maximum + 1) }]),
    ...(maxItems === undefined
      ? []
      : [
          { weight: 1, arbitrary: fc.constant([]) },
          {
            weight: 2,
            arbitrary: rightValue(schema.items ?? {}, "", "").map((item) => Array(maxItems + 1).fill(item)),
          },
        ]),
  );
}
