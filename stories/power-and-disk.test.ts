/** Reference rows 3 and 4 on the embedded database: a power cut, and a full disk. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inDepth } from "@frontdesk/testing/depth";
import { expect, onTestFinished, test } from "vitest";
import { openStorage } from "../packages/server/src/storage/open-storage.ts";
import { disorderIn, storedIds } from "../packages/server/test/attack/disorder.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import { newServerProcess, type ServerProcess, type SetUpTeam } from "../packages/server/test/attack/server-process.ts";

const CUTS = inDepth(6, 14);
/** Few enough that SQLite does not start a checkpoint by itself (at 1,000 pages). */
const MESSAGES = 40;

test("whatever the end of the log has lost in a power cut, the data opens in order, with every message up to there", async () => {
  const server = await newServerProcess(undefined);
  onTestFinished(() => server.remove());
  const team = await server.team("Acme");
  await server.start();
  const [file, log] = [join(server.dataDir, "frontdesk.db"), join(server.dataDir, "frontdesk.db-wal")];
  await write(server, team, "The first one, so that the use of the key is noted");
  const moving = new DatabaseSync(file);
  // It returns busy while the server reads or writes, and then moves nothing.
  await expect.poll(() => moving.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 0 });
  moving.close();

  /** The answered requests, and the length of the log by then. */
  const answered: { id: string; size: number }[] = [];
  for (let count = 0; count < MESSAGES; count += 1) {
    const { status, id } = await write(server, team, `Message ${count}`);
    expect(status).toBe(200);
    answered.push({ id, size: statSync(log).size });
  }
  await server.kill();
  const whole = statSync(log).size;
  expect(answered[0]?.size).toBeLessThan(whole / 2);

  const random = seeded(Date.now());
  const anywhere = Array.from({ length: CUTS }, () => Math.floor(random() * whole));
  for (const [index, cut] of [0, 1, 31, 32, whole - 1, whole, ...anywhere].entries()) {
    const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-power-"));
    try {
      copyFileSync(file, join(dataDir, "frontdesk.db"));
      copyFileSync(log, join(dataDir, "frontdesk.db-wal"));
      const copy = join(dataDir, "frontdesk.db-wal");
      // The end is missing, or has older content of the disk.
      if (index % 2 === 0) truncateSync(copy, cut);
      else writeFileSync(copy, Buffer.concat([readFileSync(copy).subarray(0, cut), randomBytes(whole - cut)]));
      const storage = openStorage({ databaseUrl: undefined, dataDir });
      await storage.check();
      expect({ cut, disorder: await disorderIn(storage) }).toEqual({ cut, disorder: [] });
      const stored = await storedIds(storage);
      const lost = answered.filter(({ id, size }) => size <= cut && !stored.has(id));
      expect({ cut, lost }).toEqual({ cut, lost: [] });
      await storage.close();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
});

const SMALL_DISK = "6m";

test("a full disk: writes are refused with a message, reads go on, nothing is half done, and with room again all is well", async ({
  skip,
}) => {
  const disk = mountSmallDisk() ?? skip("Only root on Linux can make a small disk to fill.");
  const server = await newServerProcess(undefined, { DATA_DIR: disk });
  onTestFinished(() => server.remove());
  const team = await server.team("Acme");
  await server.start();
  const answered: string[] = [];
  const first = await write(server, team, "There is room");
  answered.push(first.id);

  const filler = join(disk, "filler");
  fillUp(filler);
  const refused: Written[] = [];
  // Writes that still fit into the log succeed.
  for (let count = 0; refused.length < 20 && count < 5_000; count += 1) {
    const written = await write(server, team, "x".repeat(5_000));
    if (written.status === 200) answered.push(written.id);
    else refused.push(written);
  }
  expect(refused.length).toBe(20);
  for (const { status, body, retryAfter } of refused) {
    expect({ status, body }).toEqual({ status: 503, body: { message: expect.stringContaining("try again") } });
    expect(retryAfter).toMatch(/^[1-9]\d*$/);
  }
  for (const path of ["contacts", "conversations/all", "agents", "widgets"]) {
    const read = await fetch(`${server.origin}/api/v1/${path}`, { headers: { "x-api-key": team.apiKey } });
    expect({ path, status: read.status }).toEqual({ path, status: 200 });
  }
  expect(server.running()).toBe(true);

  rmSync(filler);
  const again = await write(server, team, "There is room again");
  expect(again.status).toBe(200);
  answered.push(again.id);
  const storage = server.open();
  expect(await disorderIn(storage)).toEqual([]);
  const stored = await storedIds(storage);
  await storage.close();
  expect(answered.filter((id) => !stored.has(id))).toEqual([]);
  // Nothing of the refused requests is stored.
  const { pagination } = (
    (await (
      await fetch(`${server.origin}/api/v1/conversations/all`, { headers: { "x-api-key": team.apiKey } })
    ).json()) as { meta: { pagination: { total: number } } }
  ).meta;
  expect(pagination.total).toBe(answered.length);
  expect(await server.stop()).toBe(0);
});

interface Written {
  status: number;
  id: string;
  body: { data?: { id: string } };
  retryAfter: string | null;
}

async function write(server: ServerProcess, team: SetUpTeam, content: string): Promise<Written> {
  const answer = await fetch(`${server.origin}/api/v1/conversations`, {
    method: "POST",
    headers: { "x-api-key": team.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ widget_id: team.widgetId, content }),
  });
  const body = (await answer.json()) as Written["body"];
  return { status: answer.status, id: body.data?.id ?? "", body, retryAfter: answer.headers.get("retry-after") };
}

/** A small disk in memory, removed when the test is finished; undefined where mounting is not permitted. */
function mountSmallDisk(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SMALL_DISK}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Writes until there is no room left. */
function fillUp(file: string): void {
  for (const block of [1_048_576, 4_096]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(block, 1), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}
