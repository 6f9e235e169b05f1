/** After a restore of an older backup, a mailbox offers again what came after it: of that, nothing that was erased comes back. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDovecot } from "@frontdesk/testing/dovecot";
import { type Bin, openBin } from "@frontdesk/testing/frontdesk-bin";
import { dump, query } from "@frontdesk/testing/second-app";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-erased-mails-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const dovecot = await startDovecot();
afterAll(() => dovecot.stop());
const [shop, copy] = [await openBin({ migrated: true }), await openBin({ migrated: true })];
const old = join(folder, "old.backup");
const networks = { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" };
const log = ({ dataDir }: Bin) => join(dataDir, "erasures.log");

/** Who writes, each a word that nothing else has. */
const erased = {
  contact: "canaryone",
  conversation: "canarytwo",
  message: "canarythree",
  waiting: "canaryfour",
  waitedInBackup: "canaryfive",
};
const neighbour = "canarysix";
const of = (word: string) => `${word}@people.example`;
const mailOf = (word: string, text = word) =>
  [`From: ${of(word)}`, `Message-ID: <${text}@people.example>`, "Date: Fri, 20 Nov 2026 09:00:00 +0000", "", text].join(
    "\r\n",
  );

let apiKey: string;
/** A mailbox whose mails are posted. */
let door: { id: string; path: string };

function client(url: string) {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body ?? {}) });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
    return (await answer.json()) as any;
  };
  const post = async (raw: string) => {
    const headers = { "content-type": "message/rfc822" };
    expect((await fetch(`${url}${door.path}`, { method: "POST", headers, body: raw })).status).toBe(200);
  };
  return { ask, post };
}

async function messageOf({ storage }: Bin, text: string) {
  const found = () =>
    query(
      storage,
      `SELECT messages.id, conversation_id, conversations.contact_id FROM messages
        JOIN conversations ON conversations.id = messages.conversation_id WHERE content = '${text}'`,
    );
  await expect.poll(async () => (await found()).length).toBe(1);
  return (await found())[0] as { id: string; conversation_id: string; contact_id: string };
}

/** Without those of the sample data. */
const statesOf = ({ storage }: Bin) =>
  query(
    storage,
    `SELECT state, message_id, raw_file, sender FROM mail_imports
      WHERE sender IS NULL OR sender LIKE '%@people.example' ORDER BY state, key`,
  );

test("mails come after a backup, and are erased with a contact, a conversation, a message and while they wait", async () => {
  const { answer: made } = await shop.json(["demo"]);
  apiKey = made.api_key;
  const { ask, post } = client((await shop.serveHere(networks)).url);
  const { widget_id } = made;
  const at = { host: "127.0.0.1", port: dovecot.port, security: "none", username: "support" };
  const imap = { kind: "imap", ...at, password: dovecot.password };
  const outbound = { ...at, port: 1, password: "secret" };
  const settings = { address: "support@acme.example", inbound: imap, outbound };
  await ask("POST", "/channels", { channel: "email", widget_id, settings });
  const posted = { address: "sales@acme.example", inbound: { kind: "http" }, outbound };
  const { data } = await ask("POST", "/channels", { channel: "email", widget_id, settings: posted });
  door = { id: data.id, path: new URL(data.attributes.callback_url).pathname };
  await expect
    .poll(async () => (await query(shop.storage, "SELECT 1 FROM mail_folders WHERE uid_validity > 0")).length)
    .toBe(1);
  await ask("PATCH", `/channels/${door.id}`, { state: "paused" });
  await post(mailOf(erased.waitedInBackup));
  // A job that runs in this moment.
  await query(
    shop.storage,
    `INSERT INTO jobs (team_id, id, kind, payload_sealed, state, attempts, run_at, lease_until, claim_id, created_at)
      SELECT team_id, team_id, 'send-mail', '', 'running', 1, 0, ${Number.MAX_SAFE_INTEGER}, team_id, 0 FROM teams LIMIT 1`,
  );
  expect((await shop.json(["backup", old])).code).toBe(0);

  await ask("PATCH", `/channels/${door.id}`, { state: "active" });
  const waited = await messageOf(shop, erased.waitedInBackup);
  await post(mailOf(erased.waiting, "known"));
  const writer = await messageOf(shop, "known");
  await ask("PATCH", `/channels/${door.id}`, { state: "paused" });
  await post(mailOf(erased.waiting));
  for (const word of [erased.contact, erased.conversation, erased.message, neighbour])
    dovecot.deliver("support", mailOf(word));
  const contact = await messageOf(shop, erased.contact);
  const conversation = await messageOf(shop, erased.conversation);
  const message = await messageOf(shop, erased.message);
  await messageOf(shop, neighbour);

  for (const { contact_id } of [contact, waited, writer]) await ask("DELETE", `/contacts/${contact_id}`);
  await ask("DELETE", `/conversations/${conversation.conversation_id}`);
  await ask("POST", `/messages/${message.id}/redact`);
  const running = "SELECT id FROM erasures WHERE finished_at IS NULL";
  await expect.poll(() => query(shop.storage, running)).toEqual([]);
  const gone = { state: "erased", raw_file: null, sender: null };
  expect(await statesOf(shop)).toEqual([
    ...Array.from({ length: 6 }, () => expect.objectContaining(gone)),
    expect.objectContaining({ state: "imported", sender: of(neighbour) }),
  ]);
  const kept = (await statesOf(shop)).filter(({ state, message_id }) => state === "erased" && message_id !== null);
  expect(kept.map(({ message_id }) => message_id)).toEqual([message.id]);
});

/** Lets everything come again, and says what of it has come. */
async function offerAgain(bin: Bin) {
  const { ask, post } = client((await bin.serveHere(networks)).url);
  await ask("PATCH", `/channels/${door.id}`, { state: "active" });
  for (const word of [erased.waiting, erased.waitedInBackup]) await post(mailOf(word));
  await post(mailOf(erased.waiting, "known"));
  await messageOf(bin, neighbour);
  // Mails of a mailbox are imported in their order.
  await post(mailOf("sam", "the last one"));
  await messageOf(bin, "the last one");
  return { ask, post };
}

async function hasNothing(bin: Bin): Promise<void> {
  const left = await dump(bin.storage);
  expect(Object.values(erased).filter((word) => left.includes(word))).toEqual([]);
  expect(left).toContain(neighbour);
}

test("after a restore they stay erased when they are offered again, and what was not erased comes back", async () => {
  copyFileSync(join(shop.dataDir, "secret.key"), join(copy.dataDir, "secret.key"));
  copyFileSync(log(shop), log(copy));
  expect((await copy.call(["restore", old])).code).toBe(0);
  // The server that was running while the backup was made does not run on it.
  const claimed = `SELECT id FROM mail_readers UNION SELECT id FROM jobs WHERE state = 'running' AND lease_until > 0`;
  expect(await query(copy.storage, claimed)).toEqual([]);
  const { post } = await offerAgain(copy);
  await hasNothing(copy);
  // A later mail of the same person is another one.
  await post(mailOf(erased.contact, "I am back"));
  await messageOf(copy, "I am back");
});

test("a restore that is repeated has the same end, also when only the data that it replaces knows the mails", async () => {
  expect((await copy.json(["restore", old, "--force"])).code).toBe(0);
  const before = await statesOf(copy);
  expect(before.filter(({ state }) => state === "erased")).toHaveLength(6);
  rmSync(log(copy));
  expect((await copy.json(["restore", old, "--force"])).code).toBe(0);
  expect(await statesOf(copy)).toEqual(before);
  await offerAgain(copy);
  await hasNothing(copy);
});
