/** `Storage.version`: caches are known to be current, over all processes of one database. */

import { PATIENT } from "@frontdesk/testing/patient";
import { openBeside, query } from "@frontdesk/testing/second-app";
import { engine, startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test, vi } from "vitest";
import { updateTeam } from "../teams/update-team.ts";

const { app, team, storage } = await startTestApp();
const beside = await openBeside(storage);
// On PostgreSQL nothing is announced until the listening connection is open.
await vi.waitUntil(() => storage.version("access") && beside.version("access"), PATIENT);

test("the version stays the same over reads, and changes with the commit that announces, before its answer", async () => {
  const acme = await team();
  await query(beside, "SELECT 1");
  const before = storage.version("access");
  await acme.get("/contacts");
  expect(storage.version("access")).toBe(before);
  await app.perform(acme.actor, updateTeam, { apiAccess: false });
  expect(storage.version("access")).not.toBe(before);
});

test("another process gets it", async () => {
  const acme = await team();
  const before = beside.version("access");
  await app.perform(acme.actor, updateTeam, { apiAccess: false });
  await expect.poll(() => beside.version("access")).not.toBe(before);
});

test("what was rolled back is not announced", async () => {
  const acme = await team();
  const before = storage.version("access");
  const failing = storage.write(acme.teamId, async (db) => {
    db.announce("access");
    throw new Error("Taken back.");
  });
  await expect(failing).rejects.toThrow("Taken back.");
  expect(storage.version("access")).toBe(before);
});

test("a read has nothing to announce", async () => {
  await expect(storage.read(async (db) => db.announce("access"))).rejects.toThrow("Only a write");
});

test.runIf(engine === "postgres")(
  "while the listening connection is broken nothing is known; afterwards everything counts as changed",
  async () => {
    const before = storage.version("access");
    await query(
      storage,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^(LISTEN|SELECT 1$)' AND pid <> pg_backend_pid()",
    );
    await expect.poll(() => storage.version("access")).toBeUndefined();
    await expect.poll(() => storage.version("access")).toBeDefined();
    expect(storage.version("access")).not.toBe(before);
  },
);
