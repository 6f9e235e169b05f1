/** A restored backup has nothing that was erased after it (docs/decisions/0053-erasing.md). */
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { databaseBytes } from "@frontdesk/testing/database-bytes";
import { deep } from "@frontdesk/testing/depth";
import { type Bin, openBin } from "@frontdesk/testing/frontdesk-bin";
import { dump, query } from "@frontdesk/testing/second-app";
import { engine } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { createDrafts } from "../files/drafts.ts";
import { openFileStorage } from "../files/open-file-storage.ts";
import { silent } from "../progress.ts";
import { StorageUnavailable } from "../storage/database.ts";
import { restoreBackup } from "./restore-backup.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-erased-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [shop, copy, other, stranger, broken] = [
  await openBin({ migrated: true }),
  await openBin({ migrated: true }),
  await openBin({ migrated: true }),
  await openBin({ migrated: true }),
  await openBin({ migrated: true }),
];
const [old, recent] = [join(folder, "old.backup"), join(folder, "recent.backup")];
const log = (bin: Bin) => join(bin.dataDir, "erasures.log");
const bytesOf = (file: string) => gunzipSync(readFileSync(file)).toString();

/** What is erased, and what stays. */
const words = {
  contact: "canaryone",
  conversation: "canarytwo",
  message: "canarythree",
  neighbour: "canaryfour",
  widget: "canaryfive",
  agent: "canarysix",
};
const erased = [words.contact, words.conversation, words.message, words.widget, words.agent];
let ids: { contact: string; held: string };

/** What the files say is the same on both engines. */
const testOfRecords = test.runIf(deep || engine === "sqlite");

test("a backup after an erasure has nothing of what was erased", async () => {
  const { answer: made } = await shop.json(["demo"]);
  const { url } = await shop.serveHere();
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { "x-api-key": made.api_key, "content-type": "application/json" };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body ?? {}) });
    expect(answer.status).toBeLessThan(300);
    // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
    return (await answer.json()) as any;
  };
  const writes = async (content: string, more: object = {}) =>
    (await ask("POST", "/conversations", { widget_id: made.widget_id, content, name: content, ...more })).data;
  const vera = await writes(words.contact);
  const held = await writes(words.conversation);
  const message = await writes(`A card, ${words.message}`, { name: "Mia" });
  await writes(words.neighbour);
  const second = (await ask("POST", "/widgets", { name: "Shop" })).data.id;
  await writes(words.widget, { widget_id: second });
  ids = { contact: vera.attributes.contact.id, held: held.attributes.contact.id };
  await ask("POST", `/contacts/${ids.held}/hold`, { reason: "Court case" });
  const email = ["--email", `${words.agent}@acme.test`];
  expect((await shop.json(["agent", "create", ...email, "--name", words.agent, "--role", "admin"])).code).toBe(0);
  expect((await shop.json(["backup", old])).code).toBe(0);

  await ask("DELETE", `/contacts/${ids.contact}`);
  const headers = { "x-api-key": made.api_key };
  await fetch(`${url}/api/v1/contacts/${ids.held}/hold`, { method: "DELETE", headers });
  await ask("DELETE", `/contacts/${ids.held}`);
  await ask("POST", `/messages/${message.id}/redact`);
  await ask("DELETE", `/widgets/${second}`, { conversations: "erase" });
  for (const act of ["deactivate", "remove"]) expect((await shop.json(["agent", act, ...email])).code).toBe(0);
  const running = "SELECT id FROM erasures WHERE finished_at IS NULL";
  await expect.poll(() => query(shop.storage, running)).toEqual([]);
  expect((await shop.json(["backup", recent])).code).toBe(0);
  expect(erased.filter((word) => !bytesOf(old).includes(word))).toEqual([]);
  expect(erased.filter((word) => bytesOf(recent).includes(word))).toEqual([]);
  expect(bytesOf(recent)).toContain(words.neighbour);
});

test("the record has its owner's rights and no id in it", () => {
  const text = readFileSync(log(shop), "utf8");
  expect(statSync(log(shop)).mode & 0o777).toBe(0o600);
  expect(text.trim().split("\n").length).toBeGreaterThan(3);
  for (const id of [ids.contact, ids.held, ...erased]) expect(text).not.toContain(id);
});

async function hasNoRowOfIt({ storage }: Bin): Promise<void> {
  const left = await dump(storage);
  expect(erased.filter((word) => left.includes(word))).toEqual([]);
  expect(left).toContain(words.neighbour);
}

async function isClean(bin: Bin): Promise<void> {
  await hasNoRowOfIt(bin);
  if (engine !== "sqlite") return;
  const bytes = databaseBytes(bin.dataDir);
  expect(erased.filter((word) => bytes.includes(word))).toEqual([]);
}

test("a restore of a backup before it erases it again, and says so", async () => {
  copyFileSync(join(shop.dataDir, "secret.key"), join(copy.dataDir, "secret.key"));
  copyFileSync(log(shop), log(copy));
  const { code, stdout, stderr } = await copy.call(["restore", old]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(
    "Erased again, because it was erased after this backup: 1 widget with its contacts, 2 contacts, 1 redacted message, 1 former colleague.",
  );
  await isClean(copy);
  const { answer } = await copy.json(["restore", recent, "--force"]);
  expect(answer.erased_again).toEqual({ widgets: 0, contacts: 0, conversations: 0, messages: 0, agents: 0 });
});

testOfRecords("the record of another machine is a file beside the backup, and is kept", async () => {
  copyFileSync(join(shop.dataDir, "secret.key"), join(other.dataDir, "secret.key"));
  const without = await other.call(["restore", old]);
  expect(without.stdout).toContain("If anything was erased after this backup, it is back");
  expect(await dump(other.storage)).toContain(words.contact);
  expect((await other.json(["restore", old, "--force", "--erasures", log(shop)])).code).toBe(0);
  await isClean(other);
  const again = await other.json(["restore", old, "--force"]);
  expect(again.answer.erased_again).toEqual({ widgets: 1, contacts: 2, conversations: 0, messages: 1, agents: 1 });
  const missing = await other.json(["restore", old, "--force", "--erasures", join(folder, "nothing.log")]);
  expect(missing.answer.error).toContain("nothing.log does not exist");
});

testOfRecords("what the data has of erasures counts too, when it is replaced without a record", async () => {
  rmSync(log(other));
  expect((await other.json(["restore", recent, "--force"])).code).toBe(0);
  rmSync(log(other), { force: true });
  const { answer } = await other.json(["restore", old, "--force"]);
  expect(answer.erased_again).toEqual({ widgets: 1, contacts: 2, conversations: 0, messages: 1, agents: 1 });
  await isClean(other);
});

testOfRecords("a line that a power cut left incomplete spoils no other", async () => {
  appendFileSync(log(copy), '{"at":"2026-11-23T');
  expect((await copy.json(["backup", join(folder, "cut.backup")])).code).toBe(0);
  const { answer } = await copy.json(["restore", old, "--force"]);
  expect(answer.erased_again).toMatchObject({ widgets: 1, contacts: 2, messages: 1 });
});

testOfRecords("a record of another key is refused before anything changes", async () => {
  expect((await stranger.json(["demo"])).code).toBe(0);
  const { answer } = await stranger.json(["restore", old, "--force", "--erasures", log(shop)]);
  expect(answer.error).toMatch(/different key/);
});

testOfRecords("until it is erased again, no server starts on the restored data", async () => {
  copyFileSync(join(shop.dataDir, "secret.key"), join(broken.dataDir, "secret.key"));
  copyFileSync(log(shop), log(broken));
  const { storage, dataDir } = broken;
  const fails = { ...storage, purgeDeleted: () => Promise.reject(new StorageUnavailable("away")) };
  const fileStorage = openFileStorage({ s3: undefined, dataDir });
  const parts = { replace: false, secretKey: undefined, dataDir, fileStorage, drafts: createDrafts(dataDir) };
  await expect(restoreBackup(fails, { file: old, ...parts, progress: silent })).rejects.toThrow("away");
  await expect(broken.serveHere()).rejects.toThrow("Restore again with --force");
  expect((await broken.json(["restore", old, "--force"])).code).toBe(0);
  await hasNoRowOfIt(broken);
  await broken.serveHere();
});
