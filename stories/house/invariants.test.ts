/**
 * Architecture, 3: the invariants that can be checked in the sources. `import-directions.test.ts` has 1, 3 and 7,
 * `tenants-apart.test.ts` has 4; 2 and 5 are checked by running the code (`packages/server/src/perform.test.ts`).
 */
import { expect, test } from "vitest";
import { filesOf, server } from "./server-folders.ts";
import { sourceFiles } from "./source-files.ts";

const client = sourceFiles("packages/client/src");
const surfaces = filesOf("surface");

/** The files among `files` that contain `pattern`. */
const filesWith = (files: typeof server, pattern: RegExp) =>
  files.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);

/** Comments may contain what code may not. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}

test("invariant 6: a public resource is made in a present-*.ts and nowhere else", () => {
  const makers = filesWith(server, /\battributes\s*:(?!\s*\{\s*\[Name in)/);
  expect(makers.filter((path) => !/\/present-[a-z-]+\.ts$/.test(path))).toEqual([]);
  expect(makers.length).toBeGreaterThan(3);
});

test("invariant 6: an event's payload is made once, where it is recorded", () => {
  const users = server.filter(({ imports }) => imports.some((name) => name.endsWith("/events/present-event.ts")));
  expect(users.map(({ path }) => path)).toEqual(["packages/server/src/events/record-event.ts"]);
});

test("what depends on the kind of the actor is answered for every kind, in one place", () => {
  const asked = filesWith(server, /\bactor\.kind\b/).filter((path) => !path.startsWith("packages/server/src/access/"));
  // They define how a refusal reads, and who may act in another's name.
  expect(asked.toSorted()).toEqual(["packages/server/src/agents/acting-agent.ts", "packages/server/src/perform.ts"]);
  // In `access/` it is a switch that ends in `never`; the one comparison is that of `actorOfKind`.
  expect(filesWith(server, /\bactor\.kind [!=]==|[!=]== \w*\.?actor\.kind\b/).toSorted()).toEqual([
    "packages/server/src/access/actor.ts",
    "packages/server/src/agents/acting-agent.ts",
    "packages/server/src/perform.ts",
  ]);
});

test("invariant 2: events are written where the commit is made, and nowhere else", () => {
  expect(filesWith(server, /\bappendEvents\(/).toSorted()).toEqual([
    "packages/server/src/events/record-event.ts",
    "packages/server/src/perform.ts",
  ]);
  // The outbox, whose transactions are no operations, says how far messages have got.
  expect(filesWith(server, /\bappendInOutbox\(/).toSorted()).toEqual([
    "packages/server/src/channels/delivery-changes.ts",
    "packages/server/src/events/record-event.ts",
  ]);
  expect(filesWith(server, /\binsertInto\("events"\)/)).toEqual(["packages/server/src/events/event-store.ts"]);
  expect(filesWith(server, /\binsertEvent\b/).toSorted()).toEqual([
    "packages/server/src/events/event-store.ts",
    "packages/server/src/events/record-event.ts",
  ]);
});

test("invariant 2: a surface changes the product through perform alone", () => {
  expect(filesWith(surfaces, /\bstorage\s*\.\s*(read|write)\b|\.run\(ctx/)).toEqual([]);
});

test("invariant 8: the server and the client declare no schema of their own", () => {
  // They compile the catalogue's schemas: for the framework, and for tools, frames and identities, which it does not handle.
  const validator = new Set([
    "packages/server/src/http/framework/schema-compilers.ts",
    "packages/server/src/tools/tool-arguments.ts",
    "packages/server/src/live/read-frame.ts",
    "packages/server/src/access/visitor-identity.ts",
  ]);
  for (const { path, imports } of [...server, ...client].filter(({ path }) => !validator.has(path))) {
    const forbidden = imports.filter((name) => /^(@sinclair\/)?typebox|^ajv|^zod|^valibot|^joi/.test(name));
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
  // The only place where a schema of a catalogue is passed to the framework.
  expect(filesWith(surfaces, /\bschema\s*:\s*\{/)).toEqual(["packages/server/src/http/framework/serve-operation.ts"]);
  expect(filesWith([...server, ...client], /\b(additionalProperties|minLength|maxItems)\s*:/)).toEqual([]);
});

test("invariant 8: no address of the REST API is written out beside the catalogue", () => {
  const routes = surfaces.filter(({ path }) => /-routes\.ts$/.test(path));
  const rest = routes.filter(({ text }) => /\bendpoint\(/.test(text));
  expect(rest.length).toBeGreaterThan(4);
  for (const { path, text } of rest) {
    expect({ path, own: /\bapp\.(get|post|put|patch|delete|route)\b/.test(text) }).toEqual({ path, own: false });
    expect({ path, code: /\.code\(|statusCode/.test(text) }).toEqual({ path, code: false });
  }
});
