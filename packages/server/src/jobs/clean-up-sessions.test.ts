/** How long sessions and the audit log are kept (docs/decisions/0025-signed-in-agents.md). */

import { query } from "@frontdesk/testing/second-app";
import { addApp, trustBrowser } from "@frontdesk/testing/second-factor";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { AUDIT_LIFE_MS } from "../audit/audit.ts";
import { BROWSER_LIFE_MS } from "../factors/known-browser.ts";
import { SECOND_STEP_LIFE_MS } from "../sessions/open-session.ts";
import { SESSION_IDLE_MS } from "../sessions/session.ts";
import { createCleanUp } from "./clean-up.ts";

const MINUTE = 60_000;
const kit = await startTestApp();
const { storage, team, clock } = kit;

/** One clean-up, from its start to its end. */
async function cleanUp(): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = Promise.withResolvers<void>();
  const logger = pino({ level: "info" }, { write: () => ended.resolve() });
  const cleaner = createCleanUp({
    storage,
    now: clock.now,
    logger,
    resumeErasures: async () => 0,
    forgetOldSpam: async () => 0,
    removeUnusedFiles: async () => 0,
  });
  cleaner.start();
  vi.advanceTimersByTime(MINUTE);
  await ended.promise;
  await cleaner.stop();
}

test("a session that is over is deleted, one that is used is not, of every team", async () => {
  const [acme, beta] = [await team(), await team()];
  const [mia, sam] = [await signedIn(kit, acme), await signedIn(kit, beta)];
  clock.advance(SESSION_IDLE_MS / 2);
  const abe = await signedIn(kit, acme);
  clock.advance(SESSION_IDLE_MS / 2);
  await cleanUp();
  const left = (await query(storage, "SELECT id FROM sessions")).map(({ id }) => id);
  expect(left).toContain(abe.actor.sessionId);
  expect(left).not.toContain(mia.actor.sessionId);
  expect(left).not.toContain(sam.actor.sessionId);
});

test("a line of the audit log is deleted after 400 days, and not before", async () => {
  const acme = await team();
  const lines = async () =>
    (await query(storage, `SELECT at FROM audit_log WHERE team_id = '${acme.teamId}'`)).map(({ at }) => Number(at));
  const first = clock.now();
  expect((await lines()).length).toBeGreaterThan(0);
  clock.advance(AUDIT_LIFE_MS - 1);
  await signedIn(kit, acme);
  await cleanUp();
  expect(await lines()).toContain(first);
  clock.advance(1);
  await cleanUp();
  expect(await lines()).not.toContain(first);
  expect((await lines()).length).toBeGreaterThan(0);
});

test("sign-ins that waited for their second step, and browsers that were not used for 400 days, are deleted", async () => {
  const acme = await team();
  const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  await addApp(kit, olga);
  await trustBrowser(kit, olga);
  const { actor, again } = olga;
  await expect(again()).rejects.toThrow("second step");
  const rowsOf = async (table: string) =>
    (await query(storage, `SELECT * FROM ${table} WHERE team_id = '${actor.teamId}'`)).length;
  expect([await rowsOf("second_steps"), await rowsOf("known_browsers")]).toEqual([1, 2]);
  clock.advance(SECOND_STEP_LIFE_MS);
  await cleanUp();
  expect([await rowsOf("second_steps"), await rowsOf("known_browsers")]).toEqual([0, 2]);
  clock.advance(BROWSER_LIFE_MS);
  await cleanUp();
  expect(await rowsOf("known_browsers")).toBe(0);
});
