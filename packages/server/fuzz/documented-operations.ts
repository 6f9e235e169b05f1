/** Our own OpenAPI document, read as any client would read it: what can be asked, and what may be answered. */
import { openApiDocument } from "@frontdesk/core/contract";

/** As much of JSON Schema as the document uses. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
}

export interface DocumentedAnswer {
  mediaType: string;
  /** Closed: an object takes the keys that are listed and no others. */
  body: Schema;
  /** Names in lower case, each with its schema. */
  headers: Record<string, Schema>;
}

export interface DocumentedOperation {
  id: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  params: Record<string, Schema>;
  query: Record<string, Schema>;
  body: Schema | undefined;
  takesIdempotencyKey: boolean;
  answers: Record<string, DocumentedAnswer>;
}

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  schema: Schema;
}

/** Every operation of the document, references resolved. */
export function documentedOperations(): DocumentedOperation[] {
  const document = openApiDocument({ serverUrl: "https://chat.test/api/v1", version: "0.0.0" });
  const resolve = (value: unknown): unknown => resolved(document, value);
  return Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const operation = resolve(raw) as {
        operationId: string;
        parameters?: Parameter[];
        /** Of a file it is no JSON. */
        requestBody?: { content: Content };
        /** Of an answer that is no JSON, under its own media type. */
        responses: Record<string, { headers?: Record<string, { schema: Schema }>; content: Content }>;
      };
      const parameters = operation.parameters ?? [];
      const placed = (place: Parameter["in"]) =>
        Object.fromEntries(parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema]));
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        params: placed("path"),
        query: placed("query"),
        body: operation.requestBody?.content["application/json"]?.schema,
        takesIdempotencyKey: Object.keys(placed("header")).includes("Idempotency-Key"),
        answers: Object.fromEntries(
          Object.entries(operation.responses).map(([status, { headers = {}, content }]) => [
            status,
            {
              mediaType: Object.keys(content)[0] ?? "",
              body: closed(Object.values(content)[0]?.schema ?? {}),
              headers: Object.fromEntries(
                Object.entries(headers).map(([name, { schema }]) => [name.toLowerCase(), schema]),
              ),
            },
          ]),
        ),
      };
    }),
  );
}

/** By media type. */
type Content = Record<string, { schema: Schema }>;

/** A copy in which every `$ref` is what it refers to. The document has no circles. */
function resolved(document: Json, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(document, item));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) {
    const names = String(value.$ref).split("/").slice(1);
    return resolved(
      document,
      names.reduce<unknown>((at, name) => (at as Json)[name], document),
    );
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(document, inner)]));
}

/** A copy in which no object takes a key that is not listed: an answer with an undocumented key is a failure. */
function closed(schema: Schema): Schema {
  return {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, closed(inner)])),
      additionalProperties: schema.additionalProperties ?? false,
    }),
    ...(schema.items && { items: closed(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(closed) }),
  };
}
