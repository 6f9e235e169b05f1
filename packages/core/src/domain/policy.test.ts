import { expect, test } from "vitest";
import { rest } from "../contract/rest.ts";
import { type ApiKeyScope, apiKeyScopes, type OperationName, policy } from "./policy.ts";

/** The scope that an API key needs, undefined when no key may. */
const scopeOf = (name: OperationName) => (policy[name] as { apiKey?: ApiKeyScope }).apiKey;

test("every REST operation has a row with the scope that an API key needs", () => {
  for (const { id, performs } of Object.values(rest)) expect(apiKeyScopes, id).toContain(scopeOf(performs));
});

test("a reading scope is enough for GET alone, a writing one for everything else", () => {
  for (const { id, method, performs } of Object.values(rest)) {
    expect(scopeOf(performs), id).toMatch(method === "GET" ? /:read$/ : /:write$/);
  }
});

test("an API key may perform nothing but the REST operations", () => {
  const names = Object.keys(policy) as OperationName[];
  const performed = new Set<string>(Object.values(rest).map(({ performs }) => performs));
  expect(names.filter((name) => scopeOf(name) !== undefined && !performed.has(name))).toEqual([]);
});

test("every scope opens something", () => {
  const opened = new Set(Object.values(rest).map(({ performs }) => scopeOf(performs)));
  expect([...apiKeyScopes].filter((scope) => !opened.has(scope))).toEqual([]);
});
