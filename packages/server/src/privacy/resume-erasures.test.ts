/** An erasure ends, even where its job was lost or its files could not be removed at first. */
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { veraWithFiles } from "@frontdesk/testing/file-sender";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { filesFolder } from "../files/drafts.ts";
import { createCleanUp } from "../jobs/clean-up.ts";
import { resumeAllErasures } from "./resume-erasures.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let base: string;
const kit = await startTestApp();
const { app, storage, team, clock, dataDir } = kit;

const stateOf = async (acme: TestTeam, id: string) =>
  (await acme.get(`/erasures/${id}`)).body.data.attributes.state as string;
const jobsOf = async ({ teamId }: TestTeam) =>
  query(storage, `SELECT id, last_error FROM jobs WHERE team_id = '${teamId}' AND kind = 'erase' AND state <> 'done'`);

/** One clean-up, from its start to its end; resolves to how many erasures it resumed. */
async function cleanUp(): Promise<number> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const resumed = Promise.withResolvers<number>();
  const cleaner = createCleanUp({
    ...{ storage, now: clock.now, logger: pino({ level: "silent" }) },
    resumeErasures: async (before) => {
      resumed.resolve(await resumeAllErasures({ storage, perform: app.perform }, before));
      return 0;
    },
    forgetOldSpam: async () => 0,
    removeUnusedFiles: async () => 0,
  });
  cleaner.start();
  vi.advanceTimersByTime(MINUTE);
  const count = await resumed.promise;
  await cleaner.stop();
  vi.useRealTimers();
  return count;
}

test("an erasure whose job was lost is resumed after an hour, once, and ends", async () => {
  const acme = await team();
  const { contactId } = await veraWrites(acme);
  // The server has not started yet, so nothing takes the job.
  const { body } = await acme.delete(`/contacts/${contactId}`);
  await query(storage, `DELETE FROM jobs WHERE team_id = '${acme.teamId}'`);
  expect(await cleanUp()).toBe(0);
  clock.advance(HOUR + 1);
  expect(await cleanUp()).toBe(1);
  expect(await jobsOf(acme)).toHaveLength(1);
  expect(await cleanUp()).toBe(0);
  expect(await stateOf(acme, body.data.id)).toBe("running");
  base = await app.start();
  await expect.poll(() => stateOf(acme, body.data.id)).toBe("done");
});

test("an erasure is not done before the contents of its files are gone, and they are tried again", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const { body: written } = await vera.write([await vera.sends("passport.txt", "canary")]);
  const [name] = readdirSync(join(filesFolder(dataDir), acme.teamId));
  const content = join(filesFolder(dataDir), acme.teamId, String(name));
  // What is not a file cannot be removed as one.
  rmSync(content);
  mkdirSync(content);
  const { body } = await acme.delete(`/contacts/${written.contact.id}`);
  await expect.poll(async () => (await jobsOf(acme))[0]?.last_error).toContain("EISDIR");
  expect(await stateOf(acme, body.data.id)).toBe("running");
  rmdirSync(content);
  writeFileSync(content, "canary");
  clock.advance(MINUTE);
  await expect.poll(() => stateOf(acme, body.data.id)).toBe("done");
  expect(existsSync(content)).toBe(false);
});
