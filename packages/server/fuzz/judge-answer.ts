/** What every answer must be, by the document alone. */
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { Schema } from "./documented-operations.ts";
import type { Draft } from "./request-arbitrary.ts";
import type { WireAnswer, WireRequest } from "./send-request.ts";

/** Nothing of the machinery shows in an error. */
const MACHINERY = /FST_|HPE_|ERR_|SQLITE|SQLSTATE|node_modules|node:internal|\.ts:\d+|\bat [\w.]+ \(|statusCode|Ajv/;

export const JSON_TYPE = "application/json";

const ajv = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });
addFormats.default(ajv);
const validators = new Map<Schema, ValidateFunction>();

/** What is wrong with an answer, in sentences; empty when it is as documented. */
export function problemsOf(draft: Draft, request: WireRequest, answer: WireAnswer): string[] {
  const { operation } = draft;
  const documented = operation.answers[answer.status];
  if (answer.status >= 500) return [`The status is ${answer.status}.`];
  if (!documented) return [`The status ${answer.status} is not documented for ${operation.id}.`];
  if (documented.mediaType !== JSON_TYPE) return headerProblems(draft, answer);
  const body = jsonOf(answer.text);
  if (body === undefined) return [`The body of ${answer.status} is no JSON: ${answer.text.slice(0, 200)}`];
  return [
    ...schemaProblems(documented.body, body).map(
      (problem) => `The body of ${answer.status} is not as documented: ${problem}.`,
    ),
    ...headerProblems(draft, answer),
    ...meaningProblems(draft, request, answer.status, body as Body),
  ];
}

interface Body {
  message?: string;
  errors?: Record<string, string[]>;
  data?: { attributes?: Record<string, unknown> }[] | object;
  meta?: { pagination: Record<string, number> };
}

function headerProblems({ operation, key }: Draft, { status, headers }: WireAnswer): string[] {
  const problems: string[] = [];
  // The limit is a key's: a refusal of one that is not known has none to tell of.
  const tellsLimit = status !== 401 && !(status === 429 && key !== "right");
  const [type, ...parameters] = String(headers["content-type"]).split("; ");
  if (type !== operation.answers[status]?.mediaType || !["", "charset=utf-8"].includes(parameters.join("; "))) {
    problems.push(`The content type is ${headers["content-type"]}.`);
  }
  for (const [name, schema] of Object.entries(operation.answers[status]?.headers ?? {})) {
    if (isLimitHeader(name) && !tellsLimit) continue;
    const text = headers[name];
    const value = schema.type === "integer" && /^\d+$/.test(String(text)) ? Number(text) : text;
    if (text === undefined) problems.push(`The header ${name} is missing.`);
    else if (schemaProblems(schema, value).length > 0) problems.push(`The header ${name} is ${text}.`);
  }
  if (!tellsLimit && Object.keys(headers).some(isLimitHeader)) problems.push(`A ${status} tells of a key's limit.`);
  return problems;
}

const isLimitHeader = (name: string) => name.startsWith("x-ratelimit");

/** What the document says in words: an invalid request is never taken, chosen fields are the ones answered. */
function meaningProblems(draft: Draft, request: WireRequest, status: number, body: Body): string[] {
  const problems: string[] = [];
  const { operation, wrongs, key } = draft;
  const done = status < 300;
  if (done && key !== "right") problems.push(`It was done with a ${key} key.`);
  if (!done && MACHINERY.test(JSON.stringify(body))) problems.push(`The machinery shows: ${JSON.stringify(body)}`);
  if (status === 422) {
    const errors = Object.entries(body.errors ?? {});
    if (errors.length === 0 || errors.some(([, messages]) => messages.length === 0))
      problems.push("No field is named.");
  }
  if (done && operation.body) {
    const sent = strictJsonOf(request.body);
    if (sent === undefined) problems.push("A body that is no JSON was taken.");
    else {
      for (const problem of schemaProblems(operation.body, sent)) problems.push(`A wrong body was taken: ${problem}.`);
      if (!isStorable(sent)) problems.push("A text with NUL or half a surrogate pair was taken.");
      if (/^\{"(\w+)":null,"\1":1,/.test(String(request.body)))
        problems.push("A field that stands there twice was taken.");
    }
  }
  if (wrongs.length === 0 && [400, 401, 413, 415].includes(status))
    problems.push(`A right request was answered ${status}.`);
  if (done && body.meta) problems.push(...listProblems(draft, body));
  return problems;
}

function listProblems({ query, rawQuery, operation }: Draft, { data, meta }: Body): string[] {
  const items = data as { attributes?: Record<string, unknown> }[];
  const { total = 0, count, per_page: limit = 1, current_page: page = 1, total_pages: pages } = meta?.pagination ?? {};
  const problems: string[] = [];
  if (count !== items.length || count > limit || count > total)
    problems.push(`${items.length} rows, but count ${count}.`);
  // A list of nothing has one page, an empty one.
  if (pages !== Math.max(1, Math.ceil(total / limit)))
    problems.push(`${total} rows by ${limit} are not ${pages} pages.`);
  if (total > 0 && page <= Number(pages) && count === 0) problems.push(`Page ${page} of ${pages} is empty.`);
  const asked = new URLSearchParams(query);
  const chosen = asked.get("include_fields");
  if (chosen && operation.query.include_fields && !rawQuery) {
    const names = [...new Set(chosen.split(","))].sort().join();
    const other = items.find(({ attributes = {} }) => Object.keys(attributes).sort().join() !== names);
    if (other) problems.push(`Asked for ${names}, answered ${Object.keys(other.attributes ?? {})}.`);
  }
  return problems;
}

/** Whether no text in it, names included, holds what decision 28 refuses. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

function schemaProblems(schema: Schema, value: unknown): string[] {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    validators.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function strictJsonOf(body: string | Buffer | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(body ?? "")));
  } catch {
    return undefined;
  }
}
