/** docs/decisions/0003: a statement is compiled once, by SQLite as well. */
import { expect, test } from "vitest";
import { everyStatement } from "./every-statement.ts";

test("no statement shows SQLite the value of its limit, which would have it planned anew in every call", async () => {
  const limited = (await everyStatement())
    .map(({ name, statement }) => ({ name, sql: statement.compiled("sqlite").sql }))
    .filter(({ sql }) => / limit /.test(sql));
  expect(limited.length).toBeGreaterThan(30);
  for (const { name, sql } of limited) expect(sql, name).not.toMatch(/(limit|offset) \?/);
});
