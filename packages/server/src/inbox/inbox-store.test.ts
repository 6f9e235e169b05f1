/** By which indexes the lists of the inbox are read, on both engines (docs/decisions/0044-triage.md). */
import { sqlText } from "@frontdesk/testing/second-app";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { Statement } from "../storage/statement.ts";
import { countsOfSpans } from "./inbox-count-store.ts";
import { fewWith, type InboxLists, pieceOf } from "./inbox-store.ts";

const { storage } = await openTestStorage({ migrated: true });

const ID = "'01990000-0000-7000-8000-000000000001'";
const NULL_VALUES = ["widget_id", "channel", "account_id", "tag_ids", "agent_ids", "mine", "mentioned"];
const literalFor = (name: string | null, given: Readonly<Record<string, string>>) => {
  if (name !== null && Object.hasOwn(given, name)) return given[name];
  if (name === null || !NULL_VALUES.includes(name)) return name === "team_id" || name === "before_id" ? ID : "1";
  return "null";
};

/** The steps of the engine's plan. The tables are too small for PostgreSQL to care for an index by itself. */
async function planOf(
  statement: Statement<never, unknown>,
  given: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { sql, params } = statement.compiled(engine);
  const values = params.map((name) => literalFor(name, given));
  const text =
    engine === "postgres"
      ? sql.replaceAll(/\$(\d+)/g, (_, number) => values[Number(number) - 1] ?? "")
      : sql.replaceAll("?", () => values.shift() ?? "");
  const plan = await storage.write(null, async (db) => {
    if (engine === "postgres") {
      for (const way of ["seqscan", "bitmapscan", "sort"]) await db.run(sqlText(`SET LOCAL enable_${way} = off`), {});
    }
    return db.all(sqlText(engine === "postgres" ? `EXPLAIN ${text}` : `EXPLAIN QUERY PLAN ${text}`), {});
  });
  return plan.map((row) => String(row.detail ?? row["QUERY PLAN"])).join("\n");
}

const lists: Record<InboxLists, number> = {
  open: 2,
  unassigned: 1,
  assigned: 1,
  with_ai: 1,
  snoozed: 1,
  resolved: 1,
  all: 5,
};
const indexes = {
  newest: "conversations_in_inbox",
  oldest: "conversations_in_inbox",
  waiting: "conversations_by_waiting",
} as const;

test.each(Object.keys(indexes) as (keyof typeof indexes)[])(
  "the order %s is read from an index, list by list",
  async (order) => {
    for (const [name, count] of Object.entries(lists)) {
      const plan = await planOf(pieceOf[order][name as InboxLists]);
      expect(plan.match(new RegExp(`${indexes[order]}\\b`, "g")), plan).toHaveLength(count);
      expect(plan).not.toMatch(/SCAN conversations\b|Seq Scan/);
    }
  },
);

test("the conversations of a channel are found by its index", async () => {
  expect(await planOf(fewWith.ofChannel, { channel: "'email'" })).toMatch(/conversations_of_channel\b/);
});

test("who waits is found and counted by the index of their order", async () => {
  const found = await planOf(fewWith.ranked);
  expect(found.match(/conversations_by_waiting\b/g), found).toHaveLength(2);
  // Two spans of two lists, and the unread ones of each.
  const counted = await planOf(countsOfSpans);
  expect(counted.match(/conversations_(by_waiting|unread)\b/g), counted).toHaveLength(8);
  expect(counted.match(/conversations_unread\b/g), counted).toHaveLength(4);
});
