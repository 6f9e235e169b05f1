/** Requests for one operation: right ones, and right ones that were then made wrong in one way or two. */
import fc, { type Arbitrary } from "fast-check";
import type { DocumentedOperation, Schema } from "./documented-operations.ts";
import { anId, anyText, NUMBER_PLACEHOLDER, rightValue, STRANGE_NUMBERS, wrongValue } from "./value-arbitraries.ts";

/** A request whose ids are still placeholders (`value-arbitraries.ts`). */
export interface Draft {
  operation: DocumentedOperation;
  /** What was made wrong on purpose, in words; empty for a right one. */
  wrongs: string[];
  method: string;
  /** Values of the path's parameters, not encoded. */
  params: Record<string, string>;
  /** Encoded when the request is sent, but for what `rawQuery` adds. */
  query: [name: string, value: string][];
  rawQuery: string;
  headers: Record<string, string | string[]>;
  body: unknown;
  /** Changes the text of the body after it was written as JSON. */
  rewrite: ((text: string) => string | Buffer)[];
  key: "right" | "missing" | "wrong" | "twice";
}

/** Requests that find their way, three in five; the others carry one mistake, some two. */
export function requestArbitrary(operation: DocumentedOperation): Arbitrary<Draft> {
  const wrongs = wrongsOf(operation);
  return fc.oneof(
    { weight: 6, arbitrary: rightRequest(operation) },
    { weight: 4, arbitrary: madeWrong(rightRequest(operation), fc.oneof(...wrongs)) },
    { weight: 1, arbitrary: madeWrong(madeWrong(rightRequest(operation), fc.oneof(...wrongs)), fc.oneof(...wrongs)) },
  );
}

function rightRequest(operation: DocumentedOperation): Arbitrary<Draft> {
  const { params, query, body, path, takesIdempotencyKey } = operation;
  return fc
    .record({
      params: fc.record(mapValues(params, (schema, name) => rightValue(schema, name, path) as Arbitrary<string>)),
      query: fc.record(
        mapValues(query, (schema, name) => rightValue(schema, name, path)),
        { requiredKeys: [] },
      ),
      body: body ? rightValue(body, "body", path) : fc.constant(undefined),
      // Few keys, so that they are used again: for the same request rarely, for another one often.
      key: takesIdempotencyKey
        ? fc.option(fc.oneof(fc.nat(30).map(String), fc.string({ minLength: 1, maxLength: 255 })), { freq: 6 })
        : fc.constant(null),
    })
    .map(({ params, query, body, key }) => ({
      operation,
      wrongs: [],
      method: operation.method,
      params,
      query: Object.entries(query).map(([name, value]) => [name, String(value)]),
      rawQuery: "",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key?.trim() && { "idempotency-key": key.trim() }),
      },
      body,
      rewrite: [],
      key: "right",
    }));
}

/** One thing that can be wrong: its name, and what it does to a request. */
interface Wrong {
  name: string;
  change(draft: Draft): Partial<Draft>;
}

function madeWrong(drafts: Arbitrary<Draft>, wrongs: Arbitrary<Wrong>): Arbitrary<Draft> {
  return fc
    .tuple(drafts, wrongs)
    .map(([draft, { name, change }]) => ({ ...draft, ...change(draft), wrongs: [...draft.wrongs, name] }));
}

function wrongsOf(operation: DocumentedOperation): Arbitrary<Wrong>[] {
  return [
    wrongHeaders,
    wrongKeys,
    wrongQueries(operation),
    ...(Object.keys(operation.params).length > 0 ? [wrongParams(operation)] : []),
    // More often than all others together.
    ...(operation.body
      ? [wrongBodies(operation), wrongFields(operation), wrongFields(operation), wrongTexts, wrongTexts]
      : [unaskedBody]),
  ];
}

const wrongHeaders: Arbitrary<Wrong> = fc.oneof(
  header(
    "content-type",
    fc.constantFrom(
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
      "application/json;charset=UTF-8",
      "application/JSON ; x=y",
      "application/json, text/plain",
      "application/jsonp",
      "nonsense",
      ";",
      "",
    ),
  ),
  header(
    "idempotency-key",
    fc.oneof(fc.constantFrom("", " ", "a".repeat(255), "a".repeat(256), "\u00e9", "a\tb", "\u007f"), fc.string()),
  ),
  header("accept", fc.constantFrom("text/html", "application/xml;q=0.9", "*/*;q=0", ",,,", "")),
  header("accept-encoding", fc.constantFrom("gzip", "identity;q=0, *;q=0", "")),
  header("x-request-id", anyText),
  header("x-http-method-override", fc.constantFrom("DELETE", "PUT")),
  header("x-forwarded-for", fc.constantFrom("127.0.0.1", "::1, 10.0.0.1", "x")),
  header("forwarded", fc.constant("for=127.0.0.1;host=evil.test;proto=https")),
  header("host", fc.constantFrom("evil.test", "", "a b", "localhost:1")),
  header("expect", fc.constant("100-continue")),
  header("if-none-match", fc.constant("*")),
  header("range", fc.constant("bytes=0-0")),
  header("origin", fc.constantFrom("https://evil.test", "null")),
  header("cookie", fc.constant("session=1; session=2; __proto__=x")),
  header("content-encoding", fc.constantFrom("gzip", "br", "identity")),
);

function header(name: string, values: Arbitrary<string>): Arbitrary<Wrong> {
  return values.map((value) => ({
    name: `header ${name}`,
    change: ({ headers }) => ({ headers: { ...headers, [name]: sendable(value) } }),
  }));
}

/** What Node's client agrees to send: a header holds no control characters and nothing beyond Latin-1. */
function sendable(value: string): string {
  return value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?");
}

const wrongKeys: Arbitrary<Wrong> = fc
  .constantFrom("missing" as const, "wrong" as const, "twice" as const)
  .map((key) => ({ name: `${key} key`, change: () => ({ key }) }));

function wrongQueries({ query, path }: DocumentedOperation): Arbitrary<Wrong> {
  const known = Object.keys(query);
  const name = fc.constantFrom(...known, "include_fields", "unknown", "__proto__", "limit[]", "", "page.x");
  const added = (what: string, pairs: Arbitrary<[string, string][]>): Arbitrary<Wrong> =>
    pairs.map((more) => ({ name: what, change: (draft) => ({ query: [...draft.query, ...more] }) }));
  const values = fc.oneof(
    anyText.map((text) => text.toWellFormed()),
    fc.constantFrom("0", "-1", "101", "21", "1.5", " 1", "1e3", "9007199254740992", "99999999999999999999", "null"),
    ...known.map((one) => rightValue(query[one] as Schema, one, path).map(String)),
    fc.constantFrom(
      "x".repeat(256),
      "\u{1F642}".repeat(256),
      "name,".repeat(1_000),
      "password_hash",
      "team_id,team_id",
    ),
  );
  return fc.oneof(
    added("strange parameter", fc.tuple(fc.tuple(name, values))),
    added(
      "repeated parameter",
      fc.tuple(fc.tuple(name, values), name).map(([[one, value]]) => [
        [one, value],
        [one, value],
      ]),
    ),
    fc
      .constantFrom(
        "%",
        "search=%ff",
        "a=%00",
        "&&&",
        "=",
        "?",
        "limit=1;page=2",
        "search=%ed%a0%80",
        "#x",
        "limit=%31",
      )
      .map((rawQuery) => ({ name: "strange query", change: () => ({ rawQuery }) })),
  );
}

function wrongParams({ params }: DocumentedOperation): Arbitrary<Wrong> {
  return fc
    .tuple(
      fc.constantFrom(...Object.keys(params)),
      fc.oneof(anyText, fc.constant("x".repeat(2_000)), anId("conversation"), anId("webhook")),
    )
    .map(([name, value]) => ({
      name: `strange ${name} in the path`,
      // An empty one would be another address.
      change: (draft) => ({ params: { ...draft.params, [name]: value.toWellFormed() || "x" } }),
    }));
}

/** A body where none is asked for. */
const unaskedBody: Arbitrary<Wrong> = fc
  .record({ body: fc.jsonValue(), type: fc.constantFrom("application/json", "text/plain", undefined) })
  .map(({ body, type }) => ({
    name: "unasked body",
    change: ({ headers }) => ({ body, headers: { ...headers, ...(type && { "content-type": type }) } }),
  }));

/** The whole body is something else. */
function wrongBodies({ body }: DocumentedOperation): Arbitrary<Wrong> {
  return fc
    .oneof(fc.constantFrom(null, true, 5, "text", [], {}, [{}]), fc.jsonValue(), wrongValue(body ?? {}))
    .map((value) => ({ name: "other body", change: () => ({ body: value }) }));
}

/** One place of the body, however deep, is changed, taken away or joined by another. */
function wrongFields(operation: DocumentedOperation): Arbitrary<Wrong> {
  const places = placesOf(operation.body ?? {}, []);
  const change = fc.oneof(
    { weight: 4, arbitrary: fc.constant("replace" as const) },
    { weight: 1, arbitrary: fc.constant("remove" as const) },
  );
  const replaced = fc.constantFrom(...places).chain(({ path, schema }) =>
    fc.tuple(change, wrongValue(schema)).map(([how, value]) => ({
      name: `${how} ${path.join(".")}`,
      change: ({ body }: Draft) => ({ body: changedAt(body, path, how === "remove" ? REMOVED : value) }),
    })),
  );
  const extra = fc
    .record({
      name: fc.oneof(fc.constantFrom("id", "team_id", "created_at", "is_admin", "__proto__", "constructor"), anyText),
      value: fc.jsonValue({ maxDepth: 2 }),
    })
    .map(({ name, value }) => ({
      name: "unknown field",
      change: (draft: Draft) =>
        rewritten(draft, (text) => text.replace("{", () => `{${JSON.stringify(name)}:${JSON.stringify(value)},`)),
    }));
  const twice = fc.constantFrom(...Object.keys(operation.body?.properties ?? {})).map((name) => ({
    name: `${name} twice`,
    change: (draft: Draft) => rewritten(draft, (text) => text.replace("{", `{"${name}":null,"${name}":1,`)),
  }));
  return fc.oneof({ weight: 8, arbitrary: replaced }, { weight: 2, arbitrary: extra }, { weight: 1, arbitrary: twice });
}

function rewritten(draft: Draft, rewrite: (text: string) => string | Buffer): Partial<Draft> {
  return { rewrite: [...draft.rewrite, rewrite] };
}

interface Place {
  path: string[];
  schema: Schema;
}

function placesOf(schema: Schema, path: string[]): Place[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => placesOf(inner, [...path, name]));
  const items = schema.items ? placesOf(schema.items, [...path, "0"]) : [];
  return [...(path.length > 0 ? [{ path, schema }] : []), ...fields, ...items];
}

const REMOVED = Symbol("removed");

/** A copy with another value at `path`; what is missing on the way there is made. */
function changedAt(value: unknown, path: string[], to: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return to;
  if (name === "0") {
    const [first, ...others] = Array.isArray(value) ? value : [];
    const changed = changedAt(first, rest, to);
    return changed === REMOVED ? others : [changed, ...others];
  }
  const object: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
  const changed = changedAt(object[name], rest, to);
  if (changed === REMOVED) delete object[name];
  else object[name] = changed;
  return object;
}

/** The text of the body is no longer JSON, or JSON in an odd spelling. */
const wrongTexts: Arbitrary<Wrong> = fc
  .oneof(
    // Into any text that stands there, ids among them.
    fc.tuple(anyText, fc.nat(20)).map(([odd, pick]): [string, (text: string) => string] => [
      "odd text in a field",
      (text) => {
        const ends = [...text.matchAll(/"(?=[,}\]])/g)];
        const at = ends[pick % ends.length]?.index ?? 0;
        return `${text.slice(0, at)}${JSON.stringify(odd).slice(1, -1)}${text.slice(at)}`;
      },
    ]),
    fc.constantFrom<[string, (text: string) => string | Buffer]>(
      ["empty text", () => ""],
      ["byte order mark", (text) => `\ufeff${text}`],
      ["text after the end", (text) => `${text}x`],
      ["spaces around", (text) => `\r\n\t ${text} \n`],
      ["comma at the end", (text) => text.replace(/}$/, ",}")],
      ["single quotes", (text) => text.replaceAll('"', "'")],
      [
        "not UTF-8",
        (text) => Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]),
      ],
      ["Latin-1", (text) => Buffer.from(text.replace('":"', '":"é'), "latin1")],
      ["UTF-16", (text) => Buffer.from(text, "utf16le")],
      ["deep nesting", (text) => text.replace("{", `{"x":${"[".repeat(5_000)}${"]".repeat(5_000)},`)],
      ["a little too deep", (text) => text.replace("{", `{"x":${"[".repeat(32)}${"]".repeat(32)},`)],
      ["just not too deep", (text) => text.replace("{", `{"x":${"[".repeat(31)}${"]".repeat(31)},`)],
      [
        "very many names",
        (text) => text.replace("{", `{${Array.from({ length: 9_000 }, (_, n) => `"f${n}":1,`).join("")}`),
      ],
      ["escapes", (text) => text.replaceAll("a", "\\u0061").replaceAll("/", "\\/")],
    ),
    fc.nat(200).map((end): [string, (text: string) => string] => ["cut off", (text) => text.slice(0, end)]),
    fc
      .constantFrom(...STRANGE_NUMBERS)
      .map((number): [string, (text: string) => string] => [
        `number ${number}`,
        (text) => text.replaceAll(/:(\d+|true|false|null)/g, `:${number}`),
      ]),
  )
  .map(([name, rewrite]) => ({ name, change: (draft: Draft) => rewritten(draft, rewrite) }));

/** The text of a draft's body: JSON, then its rewrites. Undefined when there is none. */
export function bodyOf({ body, rewrite, wrongs }: Draft): string | Buffer | undefined {
  if (body === undefined) return undefined;
  const number = STRANGE_NUMBERS[wrongs.join().length % STRANGE_NUMBERS.length] as string;
  let text: string | Buffer = (JSON.stringify(body) ?? "").replaceAll(String(NUMBER_PLACEHOLDER), number);
  for (const change of rewrite) if (typeof text === "string") text = change(text);
  return text;
}

function mapValues<From, To>(record: Record<string, From>, change: (value: From, name: string) => To) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
