/**
 * Statements of every message and every delivery that must not read what else the team has. Without statistics SQLite takes a
 * team to have some ten rows in a table, and so may prefer to read all of them.
 */

import { query } from "@frontdesk/testing/second-app";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { repliesToSend } from "../channels/reply-store.ts";
import { unendedJob } from "../jobs/job-store.ts";
import { markQueuesOf } from "../outbox/outbox-store.ts";

const { storage } = await openTestStorage({ migrated: true });

test.runIf(engine === "sqlite").each([
  ["markQueuesOf", markQueuesOf, "outbox_items_by_id"],
  ["repliesToSend", repliesToSend, "sqlite_autoindex_messages_2"],
  ["unendedJob", unendedJob, "jobs_in_queue"],
])("%s finds its rows by an index of more than the team", async (_name, { compiled }, index) => {
  const plan = await query(storage, `EXPLAIN QUERY PLAN ${compiled("sqlite").sql.replaceAll("?", "''")}`);
  const steps = plan.map(({ detail }) => String(detail)).join("\n");
  expect(steps).toContain(index);
  expect(steps).not.toContain("(team_id=?)");
});
