/** Mails that are taken and imported together, as they come from a mailbox: in their order, each once, sharing commits and jobs. */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { ChannelActor } from "../../access/actor.ts";
import { createChannelAccount } from "../../channels/create-channel-account.ts";
import { parseMail } from "../parse/parse-mail.ts";

/** In this thread. A mail that says so breaks its reader. */
const { app, storage, runtime, team } = await startTestApp({}, undefined, undefined, undefined, async (raw) => {
  if (Buffer.from(raw).includes("BREAKS")) throw new Error("It breaks.");
  return parseMail(raw);
});

async function openMailbox(acme: TestTeam) {
  const address = `support@acme-${runtime.newId()}.example`;
  const { id: accountId } = await app.perform(acme.actor, createChannelAccount, {
    ...{ channel: "email", name: "Support", homeWidgetId: acme.widgetId },
    ...{ providerKey: address, settings: { address } },
  });
  const actor: ChannelActor = { kind: "channel", teamId: acme.teamId, accountId };
  return { accountId, actor };
}

const plainly = (n: number, text = `Text ${n}`) =>
  `From: person${n}@people.example\r\nMessage-ID: <together${n}@people.example>\r\n\r\n${text}\r\n`;

test("mails that are taken together become messages in their order, each once, by few jobs", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  const refused: unknown[] = [];
  const takeAll = (raws: readonly string[]) =>
    app.takeRawMails(
      mailbox.actor,
      raws.map((raw) => Buffer.from(raw)),
      { folder: "inbox", onRefused: (refusal) => refused.push(refusal.reason.name) },
    );
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  // One is there twice, one again, and one is empty.
  await takeAll([plainly(0), plainly(0), "", ...numbers.slice(1, 16).map((n) => plainly(n))]);
  await takeAll(numbers.slice(15).map((n) => plainly(n)));
  const texts = async () =>
    (
      await query(
        storage,
        `SELECT content FROM messages WHERE team_id = '${acme.teamId}' AND type = 'message' ORDER BY created_at, id`,
      )
    ).map(({ content }) => content);
  await expect.poll(texts).toEqual(numbers.map((n) => `Text ${n}`));
  expect(refused).toEqual(["invalid"]);
  const jobs = await query(storage, `SELECT 1 FROM jobs WHERE team_id = '${acme.teamId}' AND kind = 'import-mail'`);
  expect(jobs.length).toBeLessThan(10);
});

test("of mails that are imported together one that cannot be imported keeps none of the others", async () => {
  const acme = await team();
  const mailbox = await openMailbox(acme);
  await app.takeRawMails(
    mailbox.actor,
    [plainly(1), plainly(2, "BREAKS"), plainly(3)].map((raw) => Buffer.from(raw)),
    { folder: "inbox", onRefused: () => {} },
  );
  const states = async () =>
    (
      await query(
        storage,
        `SELECT state, attempts FROM mail_imports WHERE account_id = '${mailbox.accountId}' ORDER BY raw_file`,
      )
    ).map(({ state, attempts }) => `${state} ${attempts}`);
  await expect.poll(states).toEqual(["imported 0", "stored 1", "imported 0"]);
});
