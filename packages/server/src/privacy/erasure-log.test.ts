/** The record of erasures outside the database (docs/decisions/0053-erasing.md). */
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openVault } from "../access/vault.ts";
import { type Erased, type ErasedMail, erasureLog, erasureLogFile, readErasureLog } from "./erasure-log.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-test-record-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const NOW = Date.parse("2026-11-23T18:00:00.000Z");
const teamId = "01990000-0000-7000-8000-000000000001";
const vera: Erased = { kind: "contact", teamId, id: "01990000-0000-7000-8000-000000000002" };
const mia: Erased = { kind: "contact", teamId, id: "01990000-0000-7000-8000-000000000003" };

let folders = 0;
function folder(): string {
  folders += 1;
  return join(root, String(folders), "data");
}
const read = (dataDir: string, ...keys: Buffer[]) =>
  readErasureLog(
    erasureLogFile(dataDir),
    keys.map((key) => openVault(key)),
  );

test("it has what was erased, of one kind and one team, and names nobody", () => {
  const dataDir = folder();
  erasureLog(dataDir, openVault(first)).append([vera], NOW);
  const record = read(dataDir, first);
  expect(record?.has(vera)).toBe(true);
  expect(record?.has(mia)).toBe(false);
  expect(record?.has({ ...vera, kind: "message" })).toBe(false);
  expect(record?.has({ ...vera, teamId: mia.id })).toBe(false);
  const text = readFileSync(erasureLogFile(dataDir), "utf8");
  expect(text).toContain("2026-11-23T18:00:00.000Z");
  for (const id of [teamId, vera.id]) expect(text).not.toContain(id);
  expect(statSync(erasureLogFile(dataDir)).mode & 0o777).toBe(0o600);
});

test("it outlives a change of the encryption key, and another", () => {
  const dataDir = folder();
  erasureLog(dataDir, openVault(first)).append([vera], NOW);
  const changed = erasureLog(dataDir, openVault(second, first));
  changed.keepReadable();
  changed.append([mia], NOW);
  erasureLog(dataDir, openVault(third, second)).keepReadable();
  for (const key of [first, second, third]) {
    const record = read(dataDir, key);
    expect([record?.has(vera), record?.has(mia), record?.unreadable]).toEqual([true, true, 0]);
  }
});

test("what a lost key has recorded is counted, and what comes after it is readable", () => {
  const dataDir = folder();
  erasureLog(dataDir, openVault(first)).append([vera], NOW);
  erasureLog(dataDir, openVault(second)).append([mia], NOW);
  const record = read(dataDir, second);
  expect([record?.has(vera), record?.has(mia), record?.unreadable]).toEqual([false, true, 1]);
});

test("a line that a power cut left incomplete spoils no other", () => {
  const dataDir = folder();
  const log = erasureLog(dataDir, openVault(first));
  log.append([vera], NOW);
  appendFileSync(erasureLogFile(dataDir), '{"at":"2026-11-23T');
  log.append([mia], NOW);
  const record = read(dataDir, first);
  expect([record?.has(vera), record?.has(mia)]).toEqual([true, true]);
});

test("the records of two machines can be put one after the other", () => {
  const [one, two] = [folder(), folder()];
  erasureLog(one, openVault(first)).append([vera], NOW);
  erasureLog(two, openVault(first)).append([mia], NOW);
  appendFileSync(erasureLogFile(one), readFileSync(erasureLogFile(two)));
  const record = read(one, first);
  expect([record?.has(vera), record?.has(mia)]).toEqual([true, true]);
});

test("it has the keys of erased mails, many in a line, and nothing of them can be read without its key", () => {
  const dataDir = folder();
  const accounts = ["01990000-0000-7000-8000-00000000000a", "01990000-0000-7000-8000-00000000000b"] as const;
  const mails = Array.from({ length: 1_200 }, (_, index): ErasedMail => {
    const key = createHash("sha256").update(String(index)).digest("hex");
    return { kind: "mail", teamId, accountId: accounts[index === 0 ? 1 : 0], key };
  });
  erasureLog(dataDir, openVault(first)).append([vera, ...mails], NOW);
  // An erasure that is repeated.
  erasureLog(dataDir, openVault(first)).append(mails.slice(0, 2), NOW);
  const [one, other] = mails as [ErasedMail, ErasedMail];
  const record = read(dataDir, first);
  expect(record?.mails).toHaveLength(1_200);
  expect(new Set(record?.mails.map(({ key }) => key))).toEqual(new Set(mails.map(({ key }) => key)));
  expect([record?.has(vera), record?.has(one), record?.has(other)]).toEqual([true, true, true]);
  expect(record?.has({ ...one, accountId: other.accountId })).toBe(false);
  expect(record?.has({ ...one, teamId: vera.id })).toBe(false);
  const text = readFileSync(erasureLogFile(dataDir), "utf8");
  for (const word of [teamId, ...accounts, one.key, other.key]) expect(text).not.toContain(word);
  // The key, the contact, four lines of mails, and two of the repetition.
  expect(text.trim().split("\n")).toHaveLength(8);
  expect(text.length / mails.length).toBeLessThan(100);
  const lost = read(dataDir, second);
  expect([lost?.mails, lost?.unreadable]).toEqual([[], 7]);
});

test("where nothing was erased there is no record", () => {
  const dataDir = folder();
  const log = erasureLog(dataDir, openVault(first));
  log.append([], NOW);
  log.keepReadable();
  expect(existsSync(erasureLogFile(dataDir))).toBe(false);
  expect(read(dataDir, first)).toBeUndefined();
});
