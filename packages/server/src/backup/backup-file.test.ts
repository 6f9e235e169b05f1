/** A backup as a file: what is refused, and that nothing changes then. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { backUp, everyRow, restoreInto } from "@frontdesk/testing/backups";
import { query, sqlText } from "@frontdesk/testing/second-app";
import { openTestStorage, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unlockVault } from "../access/secret-key.ts";
import type { Storage } from "../storage/database.ts";
import { migrations } from "../storage/migrations/index.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (bytes?: Buffer | string) => {
  files += 1;
  const file = join(folder, `${files}.backup`);
  if (bytes !== undefined) writeFileSync(file, bytes);
  return file;
};
const newFolder = () => mkdtempSync(join(folder, "data-"));

const { storage, team } = await startTestApp();
const key = randomBytes(32);
const empty = await openTestStorage();
const [migrated, taken, bystander, older] = [
  await openTestStorage({ migrated: true }),
  await openTestStorage({ migrated: true }),
  await openTestStorage({ migrated: true }),
  await openTestStorage({ migrated: true }),
];
let acme: TestTeam;
let good: string;
beforeAll(async () => {
  await unlockVault({ secretKey: key, dataDir: "" }, storage);
  acme = await team();
  await veraWrites(acme, { content: "Größe?\u2028\n" });
  good = newFile();
  await storage.read((db) => backUp(db, good));
});

const lines = () => gunzipSync(readFileSync(good)).toString().trimEnd().split("\n");
const packed = (changed: string[]) => newFile(gzipSync(`${changed.join("\n")}\n`));
const everything = (of: Storage) => of.read(everyRow);

test("a backup is a file of lines of JSON for its owner only, and there is nothing half-written beside it", () => {
  expect(statSync(good).mode & 0o777).toBe(0o600);
  const [header, ...rest] = lines().map((line) => JSON.parse(line));
  expect(header).toMatchObject({
    format: "frontdesk-backup",
    version: 1,
    engine: storage.engine,
    schema: migrations.map(({ number, name }) => ({ number, name })),
  });
  expect(header).not.toHaveProperty("key");
  expect(rest.at(-1)).toMatchObject({ end: { tables: { teams: 1, contacts: 1, messages: 1 } } });
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a file that is there is not written over, unless that is asked for", async () => {
  const before = readFileSync(good);
  await expect(storage.read((db) => backUp(db, good))).rejects.toThrow("already exists");
  expect(readFileSync(good)).toEqual(before);
  await expect(storage.read((db) => backUp(db, join(folder, "no-folder", "x")))).rejects.toThrow(
    "Cannot write the backup to",
  );
});

test("damaged files are refused, and nothing was changed", async () => {
  const before = await everything(migrated.storage);
  const whole = readFileSync(good);
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] as number) ^ 0x10;
    return newFile(bytes);
  };
  const [header, ...rest] = lines();
  const cases: [string, string, RegExp][] = [
    ["empty", newFile(""), /is damaged|is not a Frontdesk backup/],
    ["half", newFile(whole.subarray(0, whole.length >> 1)), /is damaged: its end is missing/],
    ["without its last byte", newFile(whole.subarray(0, -1)), /is damaged/],
    ["no gzip", newFile("hello\n".repeat(100)), /is not a Frontdesk backup/],
    ["another gzip", packed(["hello"]), /is not a Frontdesk backup/],
    ["a JSON file", packed(['{"format":"other"}']), /is not a Frontdesk backup/],
    ["a line lost", packed(lines().toSpliced(3, 1)), /is damaged/],
    ["a line twice", packed(lines().toSpliced(3, 0, lines()[3] as string)), /is damaged/],
    ["another value", packed(lines().map((line) => line.replace("Acme", "Acne"))), /content was modified/],
    ["no trailer", packed(lines().slice(0, -1)), /its end is missing/],
    ["more behind the trailer", packed([...lines(), "[]"]), /continues after its end/],
    ["a row that is too short", packed([String(header), String(rest[0]), "[1]"]), /an invalid row/],
    ["an unknown table", packed([String(header), '{"table":"x","columns":["a"]}']), /table "x" does not match/],
    [
      "a table of another shape",
      packed([String(header), '{"table":"teams","columns":["a"]}']),
      /"teams" does not match/,
    ],
    ["a row that is no JSON", packed([String(header), "{"]), /a line that cannot be read/],
    ["no such file", join(folder, "missing"), /The file .* does not exist/],
    ["a folder", folder, /Cannot read/],
    // Past the ten bytes of gzip's own header, which hold nothing of ours.
    ...[12, whole.length >> 2, whole.length >> 1, whole.length - 12, whole.length - 6, whole.length - 2].map(
      (at) => [`bit flipped in byte ${at}`, flipped(at), /damaged|not a Frontdesk backup/] as [string, string, RegExp],
    ),
  ];
  for (const [name, file, told] of cases) {
    await expect(restoreInto(migrated.storage, file, { secretKey: key }), name).rejects.toThrow(told);
    expect(await everything(migrated.storage), name).toEqual(before);
  }
});

test("a newer Frontdesk's backup is refused, in its form or in its data", async () => {
  const before = await everything(migrated.storage);
  const [header = "", ...rest] = lines();
  const form = packed([header.replace('"version":1', '"version":99'), ...rest]);
  await expect(restoreInto(migrated.storage, form, { secretKey: key })).rejects.toThrow("newer Frontdesk, in a form");
  const data = packed([header.replace('"number":1', '"number":9999'), ...rest]);
  await expect(restoreInto(migrated.storage, data, { secretKey: key })).rejects.toThrow(/newer Frontdesk .*9999/);
  expect(await everything(migrated.storage)).toEqual(before);
});

test("data that a newer Frontdesk has migrated is neither backed up nor restored over", async () => {
  await query(bystander.storage, "INSERT INTO schema_migrations VALUES (9999, 'later', 0, 0)");
  const before = await everything(bystander.storage);
  const file = newFile();
  await expect(bystander.storage.read((db) => backUp(db, file))).rejects.toThrow("newer Frontdesk (step 9999)");
  expect(existsSync(file)).toBe(false);
  await expect(restoreInto(bystander.storage, good, { secretKey: key, replace: true })).rejects.toThrow(
    "newer Frontdesk",
  );
  expect(await everything(bystander.storage)).toEqual(before);
});

test("a backup of an older Frontdesk's data comes into its own schema first, and is then brought up to date", async () => {
  const header = { ...JSON.parse(lines()[0] as string), schema: [], vault: null };
  const restored = await restoreInto(older.storage, resealed([JSON.stringify(header), ""]), {});
  expect(restored).toMatchObject({ rows: 0, tables: 0, migrated: migrations.map(({ number }) => number) });
  await older.storage.check();
  await restoreInto(older.storage, good, { secretKey: key });
  expect(await everything(older.storage)).toEqual(await everything(storage));
});

test("a database without any table is filled as well, and there is nothing to back up in it before", async () => {
  await expect(empty.storage.read((db) => backUp(db, newFile()))).rejects.toThrow("nothing to back up");
  await restoreInto(empty.storage, good, { secretKey: key });
  await empty.storage.check();
  expect(await everything(empty.storage)).toEqual(await everything(storage));
});

test("a team that is there is not restored over without --force; with it everything is replaced", async () => {
  const { storage: other, dataDir } = taken;
  await restoreInto(other, good, { secretKey: key, dataDir });
  await query(other, "UPDATE teams SET name = 'Beta'");
  const before = await everything(other);
  await expect(restoreInto(other, good, { secretKey: key, dataDir })).rejects.toThrow("A team already exists");
  expect(await everything(other)).toEqual(before);
  await restoreInto(other, good, { secretKey: key, dataDir, replace: true });
  expect(await everything(other)).toEqual(await everything(storage));
});

test("a restore that fails half-way leaves everything as it was", async () => {
  const { storage: other, dataDir } = taken;
  const before = await everything(other);
  // The same key twice: the file is whole, and the database refuses it.
  const changed = lines();
  const at = changed.findIndex((line) => line.startsWith('{"table":"messages"'));
  changed.splice(at + 1, 0, changed[at + 1] as string);
  await expect(restoreInto(other, resealed(changed), { secretKey: key, dataDir, replace: true })).rejects.toThrow(
    /unique|duplicate/i,
  );
  expect(await everything(other)).toEqual(before);
  // What is written afterwards finds its tables and its indexes.
  await other.write(null, (db) => db.run(sqlText("UPDATE contacts SET search_text = search_text || 'x'"), {}));
});

/** Gives changed lines the trailer that fits them. */
function resealed(changed: string[]): string {
  const body = changed.slice(0, -1);
  const tables: Record<string, number> = {};
  let table = "";
  for (const line of body.slice(1)) {
    const value = JSON.parse(line);
    if (Array.isArray(value)) tables[table] = (tables[table] ?? 0) + 1;
    else {
      table = value.table;
      tables[table] = 0;
    }
  }
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  const sha256 = createHash("sha256")
    .update(`${body.join("\n")}\n`)
    .digest("hex");
  return packed([...body, JSON.stringify({ end: { rows, tables, sha256 } })]);
}

test("the key must be the one of the backup's secrets; a backup with its key brings it where there is none", async () => {
  const { storage: other } = taken;
  const restore = (file: string, options: { secretKey?: Buffer; dataDir: string }) =>
    restoreInto(other, file, { ...options, replace: true });
  const before = await everything(other);

  await expect(restore(good, { dataDir: newFolder() })).rejects.toThrow(/Copy secret\.key from the old DATA_DIR to/);
  await expect(restore(good, { secretKey: randomBytes(32), dataDir: newFolder() })).rejects.toThrow(
    "different key than SECRET_KEY",
  );
  const foreign = newFolder();
  writeFileSync(join(foreign, "secret.key"), `${randomBytes(32).toString("base64")}\n`);
  const withKey = newFile();
  await storage.read((db) => backUp(db, withKey, key));
  await expect(restore(withKey, { dataDir: foreign })).rejects.toThrow(
    /move .*secret\.key elsewhere and restore again/,
  );
  await expect(storage.read((db) => backUp(db, newFile(), randomBytes(32)))).rejects.toThrow("not the one");
  expect(await everything(other)).toEqual(before);

  const dataDir = newFolder();
  await restore(withKey, { dataDir });
  expect(Buffer.from(readFileSync(join(dataDir, "secret.key"), "utf8"), "base64")).toEqual(key);
  expect(statSync(join(dataDir, "secret.key")).mode & 0o777).toBe(0o600);
  await unlockVault({ secretKey: undefined, dataDir }, other);

  // A restore that fails does not leave its key behind.
  const failed = newFolder();
  await expect(restoreInto(other, withKey, { dataDir: failed })).rejects.toThrow("A team already exists");
  expect(readdirSync(failed)).toEqual([]);
});
