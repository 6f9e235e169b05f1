/** How long calls and queued changes of assistants are kept, and that they are deleted in small steps (`jobs/clean-up.ts`). */

import { type Robin, robinAtWork, robinCalls, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { PATIENT } from "@frontdesk/testing/patient";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { watchedCleanUp } from "@frontdesk/testing/watched-clean-up";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

const server = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { team, clock, storage } = server;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BATCH = 500;
const tables = ["tool_calls", "queued_changes", "confirmations"] as const;

/** An id of long ago, of `number`. */
const idOf =
  storage.engine === "sqlite"
    ? "printf('01000000-0000-7000-8000-%012d', number)"
    : "CAST('01000000-0000-7000-8000-' || lpad(CAST(number AS text), 12, '0') AS uuid)";

beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());
beforeEach(async () => {
  for (const table of tables) await query(storage, `DELETE FROM ${table}`);
});

/** What one clean-up has deleted, and the most in one transaction. */
async function cleanedUp() {
  const { told, most } = await watchedCleanUp(server);
  const { calls = 0, changes = 0, confirmations = 0 } = told;
  return { calls, changes, confirmations, most };
}

/** How many rows of each table are a connection's. */
const kept = async ({ id }: Robin) => {
  const of = async (table: string) =>
    (await query(storage, `SELECT * FROM ${table} WHERE assistant_id = '${id}'`)).length;
  return {
    calls: await of("tool_calls"),
    changes: await of("queued_changes"),
    confirmations: await of("confirmations"),
  };
};

/** As `robinAtWork`, with what was queued done. */
async function robinHasWorked(acme: TestTeam): Promise<Robin> {
  const robin = await robinAtWork(server, acme);
  const states = async () =>
    (await query(storage, `SELECT state FROM queued_changes WHERE assistant_id = '${robin.id}'`)).map(
      (row) => row.state,
    );
  await vi.waitUntil(async () => (await states()).join() === "done,done", PATIENT);
  return robin;
}

test("a call is deleted 90 days after it was made, and a queued change 90 days after its end; others' stay", async () => {
  const [acme, sams] = [await team(), await team()];
  const early = await robinHasWorked(acme);
  clock.advance(1);
  const [late, theirs] = [await robinHasWorked(acme), await robinHasWorked(sams)];
  const all = { calls: 3, changes: 2, confirmations: 0 };
  expect([await kept(early), await kept(late), await kept(theirs)]).toEqual([all, all, all]);

  clock.advance(90 * DAY - 2);
  expect(await cleanedUp()).toMatchObject({ calls: 0, changes: 0 });
  clock.advance(1);
  expect(await cleanedUp()).toMatchObject({ calls: 3, changes: 2 });
  expect(await kept(early)).toEqual({ calls: 0, changes: 0, confirmations: 0 });
  expect([await kept(late), await kept(theirs)]).toEqual([all, all]);
  clock.advance(1);
  expect(await cleanedUp()).toMatchObject({ calls: 6, changes: 4 });
  expect((await acme.get(`/assistants/${early.id}`)).status).toBe(200);
});

test("a change that was queued long ago and has ended lately is kept, and so is one that still waits", async () => {
  const acme = await team();
  const robin = await robinHasWorked(acme);
  const change = (set: string) =>
    query(
      storage,
      `UPDATE queued_changes SET ${set} WHERE assistant_id = '${robin.id}' AND CAST(id AS text) =
       (SELECT min(CAST(id AS text)) FROM queued_changes WHERE state = 'done' AND assistant_id = '${robin.id}')`,
    );
  clock.advance(90 * DAY);
  await change("state = 'waiting', ended_at = NULL");
  await change(`state = 'refused', ended_at = ${clock.now()}`);
  expect((await cleanedUp()).changes).toBe(0);
  clock.advance(90 * DAY - 1);
  expect((await cleanedUp()).changes).toBe(0);
  clock.advance(1);
  expect((await cleanedUp()).changes).toBe(1);
  clock.advance(1_000 * DAY);
  expect((await cleanedUp()).changes).toBe(0);
  expect((await kept(robin)).changes).toBe(1);
});

test("confirmations that are over are deleted, also those of a team whose assistants ask for nothing more", async () => {
  const [acme, sams] = [await team(), await team()];
  const asks = async (one: TestTeam) => {
    const robin = await robinJoins(one);
    const { conversationId } = await veraWrites(one);
    await robinCalls(server, robin, "resolve-conversation", { conversation_ids: [conversationId] });
    return robin;
  };
  const early = await asks(acme);
  clock.advance(1_000);
  const late = await asks(sams);
  clock.advance(299_000 - 1);
  expect((await cleanedUp()).confirmations).toBe(0);
  clock.advance(1);
  expect((await cleanedUp()).confirmations).toBe(1);
  expect([(await kept(early)).confirmations, (await kept(late)).confirmations]).toEqual([0, 1]);
});

test("no transaction deletes more than 500 of them, and all that are old are deleted in the end", async () => {
  const acme = await team();
  const robin = await robinHasWorked(acme);
  await robinCalls(server, robin, "resolve-conversation", {
    conversation_ids: [(await veraWrites(acme)).conversationId],
  });
  for (const [table, columns, key, number] of [
    ["tool_calls", "team_id, assistant_id, tool, arguments, outcome, message, duration_ms, called_at", "id", idOf],
    [
      "queued_changes",
      "team_id, assistant_id, conversation_id, operation, input, state, message, queued_at, ended_at",
      "id",
      idOf,
    ],
    ["confirmations", "team_id, assistant_id, tool, arguments_hash, expires_at", "token_hash", "'hash ' || number"],
  ] as const) {
    await query(
      storage,
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${BATCH}),
       one AS (SELECT * FROM ${table} WHERE assistant_id = '${robin.id}' LIMIT 1)
       INSERT INTO ${table} (${key}, ${columns}) SELECT ${number}, ${columns} FROM one CROSS JOIN numbers`,
    );
  }
  expect(await kept(robin)).toEqual({ calls: BATCH + 4, changes: BATCH + 2, confirmations: BATCH + 1 });
  clock.advance(90 * DAY);
  expect(await cleanedUp()).toEqual({
    calls: BATCH + 4,
    changes: BATCH + 2,
    confirmations: BATCH + 1,
    most: BATCH,
  });
  expect(await kept(robin)).toEqual({ calls: 0, changes: 0, confirmations: 0 });
});
