import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyRow } from "@frontdesk/testing/backups";
import { openBin } from "@frontdesk/testing/frontdesk-bin";
import { query } from "@frontdesk/testing/second-app";
import { afterAll, expect, test } from "vitest";
import { progressBar } from "./progress-bar.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [shop, copy, nothing] = [await openBin(), await openBin(), await openBin()];
const file = join(folder, "shop.backup");

test("a backup beside the running server comes back elsewhere with its key, and answers the same", async () => {
  const { answer: made } = await shop.json(["demo"]);
  const { url } = await shop.serve();
  // What a server does first with the sample data changes rows: an erasure, and a mailbox that cannot send.
  const unfinished = `SELECT id FROM erasures WHERE finished_at IS NULL
    UNION SELECT id FROM channel_accounts WHERE channel = 'email' AND state = 'active'`;
  await expect.poll(() => query(shop.storage, unfinished)).toEqual([]);
  const { code, answer: written } = await shop.json(["backup", file, "--with-key"]);
  expect(code).toBe(0);
  expect(written).toEqual({
    file,
    bytes: statSync(file).size,
    rows: expect.any(Number),
    tables: expect.any(Number),
    files: 2,
    files_missing: 0,
  });

  expect(await copy.json(["restore", file])).toMatchObject({
    code: 0,
    answer: { file, rows: written.rows, migrated: [], key_restored: true },
  });
  // A running server renews its lease of mailboxes all the time.
  const rows = { ...(await shop.storage.read(everyRow)), mail_readers: [] };
  expect({ ...(await copy.storage.read(everyRow)), mail_readers: [] }).toEqual(rows);

  const { url: other } = await copy.serveHere();
  const ask = async (origin: string, path: string) => {
    const answer = await fetch(`${origin}/api/v1${path}`, { headers: { "x-api-key": made.api_key } });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: object[] }).data;
  };
  for (const path of ["/contacts?search=lena", "/conversations/all", "/agents"]) {
    const data = await ask(url, path);
    expect(data.length).toBeGreaterThan(0);
    expect(await ask(other, path)).toEqual(data);
  }
});

test("without --with-key the key stays out, and the output says to keep it", async () => {
  const second = join(folder, "second.backup");
  const { code, stdout, stderr } = await shop.call(["backup", second]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`Backed up to ${second}`);
  expect(stdout).toMatch(/The encryption key is not included\. Keep .*secret\.key safe too/);

  const { code: refused, answer } = await nothing.json(["restore", second]);
  expect(refused).toBe(1);
  expect(answer.error).toContain("Copy secret.key from the old DATA_DIR");
  expect(existsSync(join(nothing.dataDir, "secret.key"))).toBe(false);
});

test("a file that is there, and a team that is there, are not replaced without --force", async () => {
  const again = await shop.call(["backup", file]);
  expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("--force") });
  expect((await shop.json(["backup", file, "--with-key", "--force"])).code).toBe(0);
  expect((await copy.json(["restore", file])).answer.error).toContain("A team already exists");
  expect((await copy.json(["restore", file, "--force"])).code).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("where there is no data there is nothing to back up, and none is made", async () => {
  const dataDir = join(folder, "no-such-folder");
  const { code, answer } = await shop.json(["backup"], { DATA_DIR: dataDir, DATABASE_URL: "" });
  expect([code, answer.error]).toEqual([1, expect.stringContaining("nothing to back up")]);
  expect(existsSync(dataDir)).toBe(false);
});

test("switches take no value, and stand in the help", async () => {
  expect((await shop.call(["backup", "--help"])).stdout).toContain(
    "frontdesk backup [FILE] [--with-key] [--without-files] [--force] [--json]",
  );
  const wrong = await shop.call(["backup", "--force=yes"]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--force doesn't take a value") });
  expect((await shop.call(["restore"])).stderr).toContain("FILE is missing");
});

test("a bar shows the progress, on a terminal only", () => {
  let drawn = "";
  let time = 0;
  const output = {
    error: (text: string) => {
      drawn += text;
    },
  };
  const draw = (shown: boolean, terminal: boolean) => {
    const bar = progressBar({ shown, output, terminal, now: () => time })("Backing up");
    bar.begin(2_000);
    for (const done of [500, 501, 2_000]) {
      time += 60;
      bar.at(done);
    }
    bar.end();
    return bar.wanted;
  };
  expect([draw(false, true), draw(true, false), drawn]).toEqual([false, false, ""]);
  expect(draw(true, true)).toBe(true);
  expect(drawn.split("\r\u001b[K")).toEqual([
    "",
    `Backing up  [########----------------------]  25 %  500 of 2,000`,
    `Backing up  [##############################] 100 %  2,000 of 2,000`,
    "",
  ]);
});
