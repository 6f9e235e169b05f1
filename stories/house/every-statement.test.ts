/**
 * Every statement is covered by the tests that loop over all of them (`tenants-apart.test.ts`, `planned-once.test.ts`, the
 * storage's own `every-statement.test.ts`), and none ignores its parameters (docs/decisions/0036-guards-by-construction.md).
 */
import { expect, test } from "vitest";
import { columnsOf } from "../../packages/server/src/storage/columns.ts";
import { DECLARED_ON_DEMAND, declaringFiles, everyStatement, type NamedStatement } from "./every-statement.ts";
import { sourceFiles } from "./source-files.ts";
import { callsIn } from "./statement-calls.ts";

const statements = await everyStatement();
const calls = callsIn(declaringFiles.map(({ path }) => path));
const declarations = calls.filter(({ callee }) => callee === "statement");

const place = ({ path, line }: { path: string; line: number }) => `${path}:${line}`;

test("every call of statement() in the sources has been run, so that what it declares is seen", () => {
  expect(declarations.length).toBeGreaterThan(300);
  const seen = new Set(statements.map(({ declared }) => place(declared)));
  expect(declarations.map(place).filter((site) => !seen.has(site))).toEqual([]);
});

test("a function declares statements while its module loads, or is called here for all that it may be given", () => {
  const makers = new Map(declarations.flatMap(({ path, within }) => (within ? [[within, path]] : [])));
  expect([...makers.keys()]).toContain("pieceOfLists");
  for (const name of DECLARED_ON_DEMAND) makers.delete(name);
  // An anonymous function could be called at any time, and an exported one from anywhere.
  expect(makers.get("?")).toBeUndefined();
  for (const [name, path] of makers) {
    const source = declaringFiles.find((file) => file.path === path)?.text ?? "";
    expect(source, `${path} exports ${name}`).not.toMatch(new RegExp(`^export .*\\b${name}\\b[ (<]`, "m"));
  }
  expect(calls.filter(({ callee, within }) => within && makers.has(callee)).map(place)).toEqual([]);
});

test("statement() goes by its name, and text that is run as it is stands in one file", () => {
  const text: string[] = [];
  for (const { path, text: source } of declaringFiles) {
    expect({ path, renamed: /\bstatement as\b|\* as \w+ from "[^"]*storage\/statement\.ts"/.test(source) }).toEqual({
      path,
      renamed: false,
    });
    if (/\btextStatement\(/.test(source)) text.push(path);
  }
  expect(text).toEqual(["packages/server/src/storage/table-rows.ts"]);
  const reExported = sourceFiles("packages/server/src").filter((file) =>
    /^export [^;]*from "[^"]*\/statement\.ts"/m.test(file.text),
  );
  expect(reExported.map(({ path }) => path)).toEqual([]);
});

const written = (sql: string) => /\b(?:insert into|update|delete from) "(\w+)"/.exec(sql)?.[1];
const compiled = ({ statement }: NamedStatement) =>
  (["sqlite", "postgres"] as const).map((engine) => statement.compiled(engine));

test("what changes rows uses every parameter that its type takes", () => {
  const taken = new Map(declarations.map((call) => [place(call), call.params]));
  let looked = 0;
  for (const one of statements) {
    const params = taken.get(place(one.declared));
    if (!params || !compiled(one).some(({ sql }) => written(sql))) continue;
    const used = new Set(compiled(one).flatMap((form) => form.params as readonly (string | null)[]));
    expect({ name: one.name, dropped: params.filter((name) => !used.has(name)) }).toEqual({
      name: one.name,
      dropped: [],
    });
    looked += 1;
  }
  expect(looked).toBeGreaterThan(130);
});

/** Columns that are null in a new row, and missing in its insert. */
const NULL_AT_FIRST: Record<string, string[]> = {
  // No process sends it yet, and it has not ended.
  queueEvent: ["claim_id", "ended_at", "message_id"],
  insertReply: ["claim_id", "ended_at"],
  // It was never sent.
  logWaitingAsFailed: ["status", "response_head", "response_body", "result"],
  // A test event is about no conversation.
  queueTestEvent: ["order_key", "claim_id", "ended_at", "message_id"],
  // Without an owner, and nothing of it has been sent.
  markQueuesOf: ["owner_id", "removed_at", "failing_since", "last_error", "last_delivered_at"],
  // Known once the answer is there.
  insertAttempts: ["duration_ms", "outcome", "error", "status", "response_head", "response_body", "result"],
};

test("an insert writes every column of its table, but for those that are null at first", () => {
  let looked = 0;
  for (const one of statements) {
    for (const { sql } of compiled(one)) {
      const [, table = "", list = ""] = /\binsert into "(\w+)" \(([^)]*)\)/.exec(sql) ?? [];
      if (!table) continue;
      const columns: Record<string, string> = columnsOf[table as keyof typeof columnsOf];
      const omitted = Object.keys(columns).filter((column) => !list.includes(`"${column}"`));
      expect({ name: one.name, omitted: omitted.sort() }).toEqual({
        name: one.name,
        omitted: (NULL_AT_FIRST[one.name] ?? []).toSorted(),
      });
      for (const column of omitted) expect(columns[column], `${one.name} leaves out ${column}`).toMatch(/\?$/);
      looked += 1;
    }
  }
  expect(looked).toBeGreaterThan(150);
});
