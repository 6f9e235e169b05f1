/** Builds requests from routes; shared by all our clients. */
import type { Body, Params, Query } from "@frontdesk/core/contract/operation";

/**
 * A route as in the tables (`rest-routes.ts`, `inbox-routes.ts`, `visitor-routes.ts`). `retrySafe`: it accepts
 * `Idempotency-Key`, so a repeat changes nothing. `file`: the body is a file's content instead of JSON. `bytes`: the answer is.
 */
export type Route = readonly [method: string, path: string, mark?: "retrySafe" | "file" | "bytes"];

/**
 * The parts of a request that an operation takes. A part without required members is optional; a part it lacks is not allowed.
 */
export type OperationInput<O> = InputPart<"params", Params<O>> &
  InputPart<"query", Query<O>> &
  InputPart<"body", Body<O>>;

export type InputPart<Name extends string, Value> = [Value] extends [undefined]
  ? { [key in Name]?: never }
  : Partial<Value> extends Value
    ? { [key in Name]?: Value }
    : { [key in Name]: Value };

/** The parts, for any operation. */
export interface RequestParts {
  params?: Record<string, string> | undefined;
  query?: object | undefined;
  body?: unknown;
}

/**
 * The path of a request with its parameters and query.
 *
 * @throws TypeError for a parameter that is missing, or would address another operation
 */
export function addressOf(path: string, { params = {}, query = {} }: RequestParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_brace, name: string) => pathSegment(name, params[name]));
  const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  return given.length > 0 ? `${filled}?${new URLSearchParams(given)}` : filled;
}

/** An empty or dot segment would silently address another operation, even escaped: URLs fold `%2e%2e` too. */
function pathSegment(name: string, value: string | undefined): string {
  if (value === undefined || ["", ".", ".."].includes(value)) throw new TypeError(`params.${name} must be an id.`);
  return encodeURIComponent(value);
}
