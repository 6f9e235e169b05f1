/** Files are included in a backup and restored to the file storage (docs/decisions/0022-files.md). */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { backUp, everyRow, restoreInto } from "@frontdesk/testing/backups";
import { fetchFile, type SentFile, veraWithFiles } from "@frontdesk/testing/file-sender";
import { startS3 } from "@frontdesk/testing/s3-server";
import { appOn } from "@frontdesk/testing/second-app";
import { openTestStorage, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings } from "../config.ts";
import { diskFiles } from "../files/disk-files.ts";
import { createDrafts, filesFolder } from "../files/drafts.ts";
import { MB } from "../files/file.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { silent } from "../progress.ts";
import { restoreBackup } from "./restore-backup.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { app, storage, team, runtime, dataDir } = await startTestApp();
const [other, inBucket, broken] = [
  await openTestStorage({ migrated: true }),
  await openTestStorage({ migrated: true }),
  await openTestStorage({ migrated: true }),
];
const base = await app.start();
const backup = join(folder, "with-files.backup");
const small = "Grüße\n";
const large = randomBytes(3 * MB + 7);

let acme: TestTeam;
let files: SentFile[];
beforeAll(async () => {
  acme = await team();
  const vera = veraWithFiles(base, acme);
  files = [await vera.sends("small.txt", small), await vera.sends("large.bin", large)];
  await vera.write(files);
  await vera.sends("unused.txt", "nobody holds it");
  const written = await storage.read((db) => backUp(db, backup, undefined, diskFiles(dataDir)));
  expect(written).toMatchObject({ files: 2, missing: 0 });
});

const filesBelow = (dir: string) =>
  existsSync(dir) ? readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()) : [];
const contents = async (at: string) =>
  Promise.all(files.map(async ({ url }) => (await fetch(`${at}${new URL(url).pathname}`)).arrayBuffer()));

test("what messages hold comes back on another machine, under the same addresses, and nothing else", async () => {
  const restored = await restoreInto(other.storage, backup, { dataDir: other.dataDir });
  expect(restored).toMatchObject({ files: 2, files_elsewhere: 0 });
  // The process that reads mailboxes does not read those of the copy.
  expect(await other.storage.read(everyRow)).toEqual({ ...(await storage.read(everyRow)), mail_readers: [] });
  expect(filesBelow(filesFolder(other.dataDir))).toHaveLength(2);
  const there = await (await appOn({ storage: other.storage, runtime, env: { DATA_DIR: other.dataDir } })).start();
  const [one, two] = await contents(there);
  expect(String(Buffer.from(one as ArrayBuffer))).toBe(small);
  expect(Buffer.from(two as ArrayBuffer).equals(large)).toBe(true);
});

test("a second restore in place of everything leaves the files of the backup and takes the others away", async () => {
  const there = await appOn({ storage: other.storage, runtime, env: { DATA_DIR: other.dataDir } });
  const vera = veraWithFiles(await there.start(), acme);
  const later = await vera.sends("later.txt", "after the backup");
  await vera.write([later]);
  expect(filesBelow(filesFolder(other.dataDir))).toHaveLength(3);
  await restoreInto(other.storage, backup, { dataDir: other.dataDir, replace: true });
  expect(filesBelow(filesFolder(other.dataDir))).toHaveLength(2);
});

test("a restore where files lie in a bucket brings them there", async () => {
  const bucket = await startS3();
  try {
    const { dataDir: folderBeside } = inBucket;
    const fileStorage = openFileStorage(readSettings(bucket.env));
    const drafts = createDrafts(folderBeside);
    const parts = { file: backup, replace: false, secretKey: undefined, dataDir: folderBeside, progress: silent };
    await restoreBackup(inBucket.storage, { ...parts, fileStorage, drafts });
    expect(bucket.objects()).toHaveLength(2);
    expect(filesBelow(filesFolder(folderBeside))).toEqual([]);
    const env = { ...bucket.env, DATA_DIR: folderBeside };
    const there = await (await appOn({ storage: inBucket.storage, runtime, env })).start();
    expect(await fetchFile(there, String(files[0]?.url))).toMatchObject({ status: 200, text: small });
  } finally {
    await bucket.remove();
  }
});

test("a backup in which a file was changed or cut is refused, and none of it is there", async () => {
  const lines = gunzipSync(readFileSync(backup)).toString().trimEnd().split("\n");
  const first = lines.findIndex((line) => line.startsWith('{"file"'));
  const file = JSON.parse(String(lines[first])).file;
  const changed = {
    "another name": lines.with(first, JSON.stringify({ file: { ...file, id: "../../evil" } })),
    "a piece less": lines.toSpliced(first + 1, 1),
    "a piece more": lines.toSpliced(first + 1, 0, '"AAAA"'),
    "another piece": lines.with(first + 1, `"${Buffer.from("x".repeat(small.length + 2)).toString("base64")}"`),
  };
  for (const [what, text] of Object.entries(changed)) {
    const path = join(folder, `${what}.backup`);
    writeFileSync(path, gzipSync(`${text.join("\n")}\n`));
    const { storage: empty, dataDir: nowhere } = broken;
    await expect(restoreInto(empty, path, { dataDir: nowhere }), what).rejects.toThrow("is damaged");
    expect(filesBelow(filesFolder(nowhere)), what).toEqual([]);
  }
});

test("without the content of files a backup says how many it lists, and one that is lost is counted", async () => {
  const rowsOnly = join(folder, "rows-only.backup");
  expect(await storage.read((db) => backUp(db, rowsOnly))).toMatchObject({ files: undefined, missing: 0 });
  const restored = await restoreInto(broken.storage, rowsOnly, { dataDir: broken.dataDir });
  expect(restored).toMatchObject({ files: 0, files_elsewhere: 2 });
  const lost = join(folder, "lost.backup");
  const written = await broken.storage.read((db) => backUp(db, lost, undefined, diskFiles(broken.dataDir)));
  expect(written).toMatchObject({ files: 0, missing: 2 });
});
