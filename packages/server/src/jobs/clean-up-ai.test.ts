/** Deleting what the built-in AI leaves behind. Time is held, and the hourly timer is a fake one. */

import { aiOf } from "@frontdesk/testing/held-by-ai";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { watchedCleanUp } from "@frontdesk/testing/watched-clean-up";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const kit = await startTestApp();
const { app, storage, clock, team } = kit;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

const DAY_MS = 24 * 3_600_000;

const answered = (teamId: string, contactId: string, day: string) =>
  query(
    storage,
    `INSERT INTO ai_contact_usage (team_id, contact_id, day, answers) VALUES ('${teamId}', '${contactId}', '${day}', 3)`,
  );

test("how many answers a contact has got is forgotten when the day is over, in UTC", async () => {
  const [acme, sams] = [await team(), await team()];
  for (const each of [acme, sams]) {
    const { contactId } = await veraWrites(each);
    for (const day of ["2026-11-18", "2026-11-19", "2026-11-20"]) await answered(each.teamId, contactId, day);
  }
  expect((await watchedCleanUp(kit)).told).toMatchObject({ ai_answers: 4 });
  const left = await query(storage, "SELECT team_id, day FROM ai_contact_usage");
  expect(left.map(({ day }) => day)).toEqual(["2026-11-20", "2026-11-20"]);
  expect(new Set(left.map(({ team_id }) => team_id))).toEqual(new Set([acme.teamId, sams.teamId]));
});

test("a run is kept for 30 days", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const robin = await aiOf(app, acme);
  await robin.ran(conversationId, { outcome: "handed-over", reason: "nothing-found", calls: [] });
  clock.advance(30 * DAY_MS);
  expect((await watchedCleanUp(kit)).told).not.toMatchObject({ ai_runs: 1 });
  clock.advance(1);
  expect((await watchedCleanUp(kit)).told).toMatchObject({ ai_runs: 1 });
});
