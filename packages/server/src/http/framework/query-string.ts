import { invalid } from "@frontdesk/core/domain/refusal";
import { HttpProblem } from "./http-problem.ts";

/** A query as in the address: a parameter that occurs twice is a list, and fails its schema. */
export type RawQuery = Record<string, string | string[]>;

/**
 * Reads a query string strictly: percent signs must encode UTF-8, nothing is replaced (decision 28).
 *
 * @throws HttpProblem 400 on a broken encoding
 * @throws Refusal `invalid` on a parameter with NUL
 */
export function readQueryString(text: string): RawQuery {
  const query: RawQuery = Object.create(null);
  if (text === "") return query;
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    if (value.includes("\0")) throw invalid({ [name]: "unstorable-text" });
    const present = query[name];
    if (present === undefined) query[name] = value;
    else if (Array.isArray(present)) present.push(value);
    else query[name] = [present, value];
  }
  return query;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new HttpProblem(400, "http.unreadable", { cause });
  }
}

/** The parameters of a query's schema that are integers. */
export function integerNames(query: { properties: object } | undefined): string[] {
  const properties = (query?.properties ?? {}) as Record<string, { type?: unknown }>;
  return Object.keys(properties).filter((name) => properties[name]?.type === "integer");
}

/** A plain decimal integer, as a query must contain it: no sign, no space, no leading zero, no exponent. */
const INTEGER = /^(0|[1-9][0-9]{0,15})$/;

/**
 * Converts the parameters that the schema calls integers to numbers, when they are written as one; anything else is left
 * unchanged, so that the schema refuses and names it.
 */
export function withIntegers(query: RawQuery, names: readonly string[]): Record<string, unknown> {
  const read: Record<string, unknown> = query;
  for (const name of names) {
    const value = read[name];
    if (typeof value === "string" && INTEGER.test(value)) read[name] = Number(value);
  }
  return read;
}
