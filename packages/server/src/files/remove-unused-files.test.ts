/**
 * Files that no message uses are deleted after a day, and so is what a crash left of an upload (docs/decisions/0022-files.md).
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fetchFile, veraWithFiles } from "@frontdesk/testing/file-sender";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { beforeEach, expect, test } from "vitest";
import type { VisitorActor } from "../access/actor.ts";
import { StorageUnavailable } from "../storage/database.ts";
import { diskFiles } from "./disk-files.ts";
import { createDrafts, filesFolder } from "./drafts.ts";
import type { FileStorage } from "./file-storage.ts";
import { createRemoval } from "./remove-unused-files.ts";
import { startUpload } from "./start-upload.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const { app, storage, team, clock, dataDir } = await startTestApp();
const base = await app.start();
const onDisk = diskFiles(dataDir);
const drafts = createDrafts(dataDir);
const removal = (fileStorage: FileStorage = onDisk) => createRemoval({ storage, fileStorage, drafts });
const always = () => true;

const rowsOf = (teamId: string) => query(storage, `SELECT * FROM files WHERE team_id = '${teamId}' ORDER BY id`);
const contentsOf = (teamId: string) => readdirSync(join(filesFolder(dataDir), teamId));

// What an earlier test has left is no later one's.
beforeEach(async () => {
  clock.advance(2 * DAY);
  await removal()(clock.now(), always);
});

test("a file that no message took within 24 hours is removed, one that a message holds stays", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const [used, unused] = [await vera.sends("used.txt", "used"), await vera.sends("unused.txt", "unused")];
  await vera.write([used]);
  clock.advance(DAY - HOUR);
  const fresh = await vera.sends("fresh.txt", "fresh");
  expect(await removal()(clock.now(), always)).toBe(0);
  clock.advance(HOUR + 1);
  expect(await removal()(clock.now(), always)).toBe(1);
  const statuses = await Promise.all([used, unused, fresh].map(({ url }) => fetchFile(base, url)));
  expect(statuses.map(({ status }) => status)).toEqual([200, 404, 200]);
  expect([(await rowsOf(acme.teamId)).length, contentsOf(acme.teamId).length]).toEqual([2, 2]);
});

test("while the place is out of reach the row stays, no message can take the file any more, and the next time it goes", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const file = await vera.sends("late.txt", "late");
  clock.advance(DAY + 1);
  const away: FileStorage = { ...onDisk, remove: () => Promise.reject(new StorageUnavailable("away")) };
  await expect(removal(away)(clock.now(), always)).rejects.toThrow("away");
  expect(await rowsOf(acme.teamId)).toMatchObject([{ state: "removing" }]);
  expect((await fetchFile(base, file.url)).status).toBe(404);
  expect((await vera.write([file])).status).toBe(422);
  expect(await removal()(clock.now(), always)).toBe(1);
  expect(await rowsOf(acme.teamId)).toEqual([]);
  expect(contentsOf(acme.teamId)).toEqual([]);
});

test("a file that cannot be removed keeps no other from being removed", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  await vera.sends("stuck.txt", "stuck");
  const [stuck] = contentsOf(acme.teamId);
  clock.advance(1);
  await vera.sends("loose.txt", "loose");
  clock.advance(DAY + 1);
  const locked: FileStorage = {
    ...onDisk,
    remove: (key) => (key.id === stuck ? Promise.reject(new StorageUnavailable("locked")) : onDisk.remove(key)),
  };
  await expect(removal(locked)(clock.now(), always)).rejects.toThrow("locked");
  expect(contentsOf(acme.teamId)).toEqual([stuck]);
  expect(await removal()(clock.now(), always)).toBe(1);
  expect(contentsOf(acme.teamId)).toEqual([]);
});

test("an upload that a crash cut off is never visible, and is removed with its draft", async () => {
  const acme = await team();
  const vera: VisitorActor = {
    kind: "visitor",
    teamId: acme.teamId,
    widgetId: acme.widgetId,
    tokenHash: "hash",
    contactId: undefined,
    verifiedUntil: undefined,
  };
  const { id, token } = await app.perform(vera, startUpload, { name: "cut.bin", size: 10 });
  const folder = join(filesFolder(dataDir), "receiving");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, id), "half of");
  writeFileSync(join(folder, "coming in"), "at this moment");
  for (const [name, time] of [
    [id, clock.now() - 2 * HOUR],
    ["coming in", clock.now()],
  ] as const) {
    utimesSync(join(folder, name), new Date(time), new Date(time));
  }

  expect((await fetchFile(base, `${base}/files/${token}/cut.bin`)).status).toBe(404);
  expect(await removal()(clock.now(), always)).toBe(0);
  expect(readdirSync(folder)).toEqual(["coming in"]);
  clock.advance(DAY + 1);
  expect(await removal()(clock.now(), always)).toBe(1);
  expect(await rowsOf(acme.teamId)).toEqual([]);
});

test("what a process is receiving is not removed by its own clean-up, however far the clock is ahead", async () => {
  const [own, others] = [createDrafts(dataDir), createDrafts(dataDir)];
  const [kept, left] = [randomUUID(), randomUUID()];
  const { path } = await own.receive(kept, Readable.from([Buffer.from("half of it")]), 100);
  const { path: pathLeft } = await others.receive(left, Readable.from([Buffer.from("half of it")]), 100);
  await own.removeLeft(Date.now() + DAY);
  expect([existsSync(path), existsSync(pathLeft)]).toEqual([true, false]);
  await own.remove(kept);
  expect(existsSync(path)).toBe(false);
});

test("a draft that could not be removed is left to the clean-up of its process, too", async () => {
  const id = randomUUID();
  const { path } = await drafts.receive(id, Readable.from([Buffer.from("half of it")]), 100);
  rmSync(path);
  mkdirSync(path);
  await expect(drafts.remove(id)).rejects.toThrow();
  rmdirSync(path);
  writeFileSync(path, "half of it");
  await drafts.removeLeft(Date.now() + DAY);
  expect(existsSync(path)).toBe(false);
});

test("more files than one batch go in several, team by team, until it has to stop", async () => {
  const teams = [await team(), await team()];
  for (const { teamId } of teams) {
    const rows = Array.from({ length: 150 }, (_, index) => {
      const id = `01980c62-9b0c-7e21-8d47-${String(index).padStart(12, "0")}`;
      return `('${teamId}', '${id}', 'hash ${index}', 'a', 'text/plain', 1, 'stored', 'visitor:x', ${clock.now()})`;
    });
    const columns = "team_id, id, token_hash, name, mime, size, state, sent_by, created_at";
    await query(storage, `INSERT INTO files (${columns}) VALUES ${rows.join(", ")}`);
  }
  clock.advance(DAY + 1);
  let batches = 0;
  const stopped = await removal()(clock.now(), () => {
    batches += 1;
    return batches <= 1;
  });
  expect(stopped).toBe(100);
  expect(await removal()(clock.now(), always)).toBe(200);
});
