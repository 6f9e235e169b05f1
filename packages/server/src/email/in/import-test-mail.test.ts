/** Mails that mailboxes send to themselves as a test become no messages (docs/decisions/0066-mail-round-trip.md). */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { ChannelActor } from "../../access/actor.ts";
import { openVault } from "../../access/vault.ts";
import { createChannelAccount } from "../../channels/create-channel-account.ts";
import { newTestMail } from "../round-trip/test-mail.ts";
import { newTestMark } from "../rules/test-mark.ts";
import { unreadableMail } from "./unreadable-mail.ts";

const { app, storage, runtime, clock, team } = await startTestApp();

let mails = 0;

async function mailbox(acme: TestTeam) {
  const address = `support@acme-${runtime.newId()}.example`;
  const { id: accountId } = await app.perform(acme.actor, createChannelAccount, {
    ...{ channel: "email", name: null, homeWidgetId: acme.widgetId, providerKey: address, settings: { address } },
  });
  const actor: ChannelActor = { kind: "channel", teamId: acme.teamId, accountId };
  const importOf = async (key: string) => {
    const of = `account_id = '${accountId}' AND key = '${key}'`;
    return (await query(storage, `SELECT state, raw_file, message_id FROM mail_imports WHERE ${of}`))[0];
  };
  /** Resolves once a job of the app has tried to import it. */
  const take = async (raw: string) => {
    const { key } = await app.takeRawMail(actor, Readable.from([Buffer.from(raw)]));
    await expect.poll(async () => (await importOf(key))?.state).not.toBe("stored");
    return importOf(key);
  };
  const arrive = (headers: Record<string, string>, text = "Hello") => {
    mails += 1;
    const all = { From: "vera@vera.example", "Message-ID": `<${mails}@test.example>`, To: address, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    return take(`${lines.join("\r\n")}\r\n\r\n${text}\r\n`);
  };
  return { address, take, arrive, importOf };
}

const ignored = { state: "ignored", raw_file: null, message_id: null };
const imported = { state: "imported" };
const automatic = { state: "automatic" };
const testMail = ({ teamId }: TestTeam, address: string) =>
  newTestMail({ vault: runtime.vault, now: clock.now() }, { teamId, address });
const conversationsOf = async (acme: TestTeam) =>
  (await acme.get("/conversations/all")).body.meta.pagination.total as number;

test("it is known as it was sent, with another Message-ID, and in another mailbox of the team; a tester knows it by its key", async () => {
  const acme = await team();
  const [box, second] = [await mailbox(acme), await mailbox(acme)];
  const { raw, mark, messageId, keys } = testMail(acme, box.address);
  const sent = Buffer.from(raw).toString();
  const renamed = sent.replace(messageId, "<replaced@relay.example>");
  const shortened = sent.replace(/^X-Frontdesk-Test: .*\r\n/m, "");
  expect(shortened).not.toBe(sent);
  expect(await box.take(renamed)).toMatchObject(ignored);
  expect(await second.take(shortened)).toMatchObject(ignored);
  expect(await box.take(sent)).toMatchObject(ignored);
  for (const key of await keys([messageId, "<replaced@relay.example>"])) {
    expect(await box.importOf(key)).toMatchObject(ignored);
  }
  expect(await conversationsOf(acme)).toBe(0);
  expect(unreadableMail(raw).testMarks).toEqual([mark]);
});

test("a report about it and an absence note are no messages either; what a person writes about it is one", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const { messageId } = testMail(acme, box.address);
  const about = { From: "mailer-daemon@relay.example", "X-Failed-Recipients": box.address };
  expect(await box.arrive({ ...about, References: messageId })).toMatchObject(ignored);
  expect(await box.arrive(about, `--- Original message ---\r\nMessage-ID: ${messageId}`)).toMatchObject(ignored);
  expect(await box.arrive({ "Auto-Submitted": "auto-replied", "In-Reply-To": messageId })).toMatchObject(ignored);
  expect(await conversationsOf(acme)).toBe(0);
  expect(await box.arrive({ "In-Reply-To": messageId })).toMatchObject(imported);
  expect(await box.arrive({ "List-Id": "<shop.example>", References: messageId })).toMatchObject(automatic);
});

test("a report about another mail is a message, also where it quotes the test mail", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const { messageId } = testMail(acme, box.address);
  const quoted = `--- Original message ---\r\nMessage-ID: <other@acme.example>\r\n\r\n> Message-ID: ${messageId}`;
  const about = { From: "mailer-daemon@relay.example", "X-Failed-Recipients": "vera@vera.example" };
  expect(await box.arrive(about, quoted)).toMatchObject(automatic);
});

test("a mark that this installation has not made for this team is worth nothing", async () => {
  const [acme, sams] = [await team(), await team()];
  const box = await mailbox(acme);
  const { mark } = testMail(sams, box.address);
  const forged = newTestMark(openVault(randomBytes(32)), acme.teamId);
  for (const value of [mark, forged, "x", ""]) {
    expect(await box.arrive({ "X-Frontdesk-Test": value })).toMatchObject(imported);
    const id = `<frontdesk-test.${value}@acme.example>`;
    expect(await box.arrive({ "Message-ID": id })).toMatchObject(imported);
  }
});
