/**
 * The content of the reference, as plain values, made from the contract catalogue. The page (`reference-page.ts`) and the
 * Markdown (`scripts/write-reference.ts`) only lay it out, so the two can never differ.
 */
import {
  DeliveryHeaders,
  deliveryExample,
  deliverySchema,
  type EventName,
  errorStatuses,
  eventAccess,
  eventNames,
  events,
  IDEMPOTENCY_KEY,
  IDEMPOTENCY_KEY_DESCRIPTION,
  IdempotencyKey,
  openApiDocument,
  type RestOperation,
  rest,
  scopeSentence,
  scopesNeeded,
  successStatus,
} from "@frontdesk/core/contract";

/** The whole reference. Texts are plain, with `code` between backticks and an empty line between paragraphs. */
export interface Reference {
  version: string;
  serverUrl: string;
  introduction: string;
  groups: { name: string; description: string; operations: OperationEntry[] }[];
  errors: ErrorEntry[];
  answerHeaders: Field[];
  events: EventEntry[];
  deliveryHeaders: Field[];
}

export interface OperationEntry {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** The scopes a key needs. */
  access: string;
  pathFields: Field[];
  queryFields: Field[];
  headerFields: Field[];
  bodyFields: Field[];
  /** A command for a terminal. */
  request: string;
  /** The example is a text where the answer is no JSON. */
  answer: { status: number; description: string; fields: Field[]; example: object | string };
  errors: ErrorEntry[];
}

export interface ErrorEntry {
  status: number;
  description: string;
  example: object;
}

export interface EventEntry {
  name: EventName;
  label: string;
  description: string;
  /** The scope a key needs to subscribe to it. */
  access: string;
  fields: Field[];
  example: object;
}

/** One value of a request, an answer or a payload. */
export interface Field {
  /** Its path: `data[].attributes.name`. */
  path: string;
  /** In words: `string or null`, `array of objects`. */
  type: string;
  required: boolean;
  /** Its bounds, in words: `at most 255 characters`. */
  bounds: string[];
  description: string | undefined;
}

/** @param options.serverUrl the base address of the API, `/api/v1` included */
export function referenceContents({ serverUrl, version }: { serverUrl: string; version: string }): Reference {
  const document = openApiDocument({ serverUrl, version }) as unknown as Document;
  const errors = errorEntries(document);
  const everyAnswer = headersOfEveryAnswer(document);
  const operations = Object.values<RestOperation>(rest);
  return {
    version,
    serverUrl,
    introduction: document.info.description,
    groups: document.tags.map(({ name, description }) => ({
      name,
      description,
      operations: operations
        .filter(({ tag }) => tag === name)
        .map((operation) => operationEntry(operation, serverUrl, errors)),
    })),
    errors: [...errors.values()].sort((one, other) => one.status - other.status),
    answerHeaders: Object.entries(document.components.headers).map(([path, { description, schema }]) =>
      field(path, { ...schema, description }, everyAnswer.has(path)),
    ),
    events: eventNames.map((name) => ({
      name,
      label: events[name].label,
      description: events[name].description,
      access: eventAccess(name),
      fields: fieldsOf(deliverySchema(name)),
      example: deliveryExample(name),
    })),
    deliveryHeaders: fieldsOf(DeliveryHeaders),
  };
}

/** The parts of the OpenAPI document that the catalogue itself does not export. */
interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string; headers?: object }> }>>;
  components: {
    headers: Record<string, { description: string; schema: Schema }>;
    responses: Record<
      string,
      { description: string; content: { "application/json": { examples: { example: { value: object } } } } }
    >;
  };
}

/** The headers that every success has: all except those of some errors. */
function headersOfEveryAnswer(document: Document): Set<string> {
  const successes = answersIn(document).filter(([, { headers }]) => headers);
  return new Set(successes.flatMap(([, { headers = {} }]) => Object.keys(headers)));
}

/** Every error answer by its status. */
function errorEntries(document: Document): Map<number, ErrorEntry> {
  const entries = new Map<number, ErrorEntry>();
  for (const [status, { $ref }] of answersIn(document)) {
    const answer = $ref && document.components.responses[$ref.split("/").at(-1) as string];
    if (!answer) continue;
    const example = answer.content["application/json"].examples.example.value;
    entries.set(Number(status), { status: Number(status), description: answer.description, example });
  }
  return entries;
}

function answersIn(document: Document) {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ responses }) => Object.entries(responses));
}

function operationEntry(
  operation: RestOperation,
  serverUrl: string,
  errors: ReadonlyMap<number, ErrorEntry>,
): OperationEntry {
  const { id, method, path, summary, description, params, query, body, retrySafe } = operation;
  const status = successStatus(operation);
  const answer = operation.responses[status];
  if (!answer) throw new Error(`${id} has no answer.`);
  const headerFields = [field(IDEMPOTENCY_KEY, { ...IdempotencyKey, description: IDEMPOTENCY_KEY_DESCRIPTION }, false)];
  return {
    id,
    method,
    path,
    summary,
    description,
    access: scopeSentence(scopesNeeded(operation)),
    pathFields: fieldsOf(params),
    queryFields: fieldsOf(query),
    headerFields: retrySafe ? headerFields : [],
    bodyFields: fieldsOf(body),
    request: curl(operation, serverUrl),
    answer: {
      status,
      description: answer.description,
      fields: fieldsOf(answer.body),
      example: operation.example.response,
    },
    errors: errorStatuses(operation).flatMap((code) => errors.get(code) ?? []),
  };
}

/** The example of an operation as a command for a shell. The key is in a variable, and not in the shell's history. */
function curl({ method, path, example, retrySafe, content }: RestOperation, serverUrl: string): string {
  const params = new Map(Object.entries(example.params ?? {}));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.get(name))));
  const query = Object.entries(example.query ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  const url = `${serverUrl}${address}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`, `-H "X-API-KEY: $FRONTDESK_API_KEY"`];
  if (retrySafe) lines.push(`-H 'Idempotency-Key: ${idempotencyKeyOf(path)}'`);
  if (example.body) {
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(example.body, null, 2))}`);
  }
  if (content) lines.push(`--data-binary ${quoted(`@${String(query[0]?.split("=")[1])}`)}`);
  return lines.join(" \\\n  ");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const idempotencyKeyOf = (path: string) => `order-1042-${path.split("/").filter(Boolean).join("-")}`;

/** JSON Schema, as far as the catalogue uses it. */
interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** The fields of an object and, right after each, those inside it. */
/** The fields of a schema, those of nested objects by their path. */
export function fieldsOf(schema: object | undefined, prefix = ""): Field[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    return [field(path, property, required.includes(name)), ...innerFields(property, path)];
  });
}

function innerFields(schema: Schema, path: string): Field[] {
  if (schema.items) return innerFields(schema.items, `${path}[]`);
  // Of a choice of objects one is present, so none of their first fields is always present.
  const variants = schema.anyOf?.flatMap((variant) => fieldsOf({ ...variant, required: [] }, `${path}.`)) ?? [];
  return [...fieldsOf(schema, `${path}.`), ...variants];
}

function field(path: string, schema: Schema, required: boolean): Field {
  return { path, type: typeWords(schema), required, bounds: boundsOf(schema), description: schema.description };
}

function typeWords(schema: Schema, many = false): string {
  if (schema.items) {
    const others = [schema.type ?? []].flat().filter((type) => type !== "array");
    return [`${many ? "arrays" : "array"} of ${typeWords(schema.items, true)}`, ...others].join(" or ");
  }
  if (typeof schema.additionalProperties === "object") return `map of ${typeWords(schema.additionalProperties, true)}`;
  const types = [schema.type ?? (schema.anyOf ? "object" : "any")].flat();
  return types.map((type) => (many && type !== "null" ? `${type}s` : type)).join(" or ");
}

const FORMATS: Record<string, string> = { uuid: "a UUID", "date-time": "ISO 8601", email: "an email address" };

function boundsOf(schema: Schema): string[] {
  const { items, minItems, maxItems, minLength, maxLength, minimum, maximum, format, pattern } = schema;
  const known = maximum !== undefined && maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const prefix = /^\^([a-z_]+)$/.exec(pattern ?? "")?.[1];
  return [
    schema.const === undefined ? undefined : `always \`${String(schema.const)}\``,
    schema.enum && `one of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}`,
    format && FORMATS[format],
    prefix && `begins with \`${prefix}\``,
    range(minLength, maxLength, "characters"),
    range(minimum, known, ""),
    range(minItems, maxItems, "items"),
    ...(items && !items.properties ? boundsOf(items).map((bound) => `each ${bound}`) : []),
    schema.default === undefined ? undefined : `default \`${String(schema.default)}\``,
  ].filter((bound): bound is string => Boolean(bound));
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const words = (text: string) => `${text} ${unit}`.trim();
  const [least, most] = [min?.toLocaleString("en"), max?.toLocaleString("en")];
  if (min !== undefined && min === max) return `exactly ${min} ${min === 1 ? unit.replace(/s$/, "") : unit}`.trim();
  if (least !== undefined && most !== undefined) return words(`${least} to ${most}`);
  if (most !== undefined) return words(`at most ${most}`);
  if (min === 1 && unit) return "not empty";
  return min === undefined || min === 0 ? undefined : words(`at least ${least}`);
}
