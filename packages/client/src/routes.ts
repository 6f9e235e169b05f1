/** Requests made of routes: what every client of ours has in common, whatever it asks and however it sends. */
import type { Body, Params, Query } from "@frontdesk/core/contract/operation";

/**
 * A route as the tables have it (`rest-routes.ts`, `inbox-routes.ts`, `visitor-routes.ts`). `retrySafe`: it accepts `Idempotency-Key`,
 * so that sending it again does nothing again. `file`: the body is the content of a file instead of JSON.
 */
export type Route = readonly [method: string, path: string, mark?: "retrySafe" | "file"];

/** The parts of a request that an operation takes. One without required members may be left out, one it lacks cannot be sent. */
export type OperationInput<O> = InputPart<"params", Params<O>> &
  InputPart<"query", Query<O>> &
  InputPart<"body", Body<O>>;

export type InputPart<Name extends string, Value> = [Value] extends [undefined]
  ? { [key in Name]?: never }
  : Partial<Value> extends Value
    ? { [key in Name]?: Value }
    : { [key in Name]: Value };

/** The parts, whatever the operation. */
export interface RequestParts {
  params?: Record<string, string> | undefined;
  query?: object | undefined;
  body?: unknown;
}

/**
 * The path of a request with its parameters and its query.
 *
 * @throws TypeError for a parameter that is not there, or would address another operation
 */
export function addressOf(path: string, { params = {}, query = {} }: RequestParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_brace, name: string) => pathSegment(name, params[name]));
  const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  return given.length > 0 ? `${filled}?${new URLSearchParams(given)}` : filled;
}

/** An empty or a dot segment would silently address another operation, however it is escaped: URLs fold `%2e%2e` too. */
function pathSegment(name: string, value: string | undefined): string {
  if (value === undefined || ["", ".", ".."].includes(value)) throw new TypeError(`params.${name} must be an id.`);
  return encodeURIComponent(value);
}
