/** A process imports the mails of four mailboxes at once. Here three hang, so that one turn is left for the others. */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { ChannelActor } from "../../access/actor.ts";
import { createChannelAccount } from "../../channels/create-channel-account.ts";
import { setChannelAccountState } from "../../channels/set-channel-account-state.ts";
import { jobKinds } from "../../jobs/job-kinds.ts";
import { parseMail } from "../parse/parse-mail.ts";
import { MOST_A_JOB } from "./import-mail-job.ts";

const gates = { FIRST: Promise.withResolvers<void>(), LAST: Promise.withResolvers<void>() };
/** How many mails hang in their reader, by what they wait for. */
const hanging = { FIRST: 0, LAST: 0 };

/** In this thread. A mail may say what it waits for. */
const { app, storage, runtime, team } = await startTestApp({}, undefined, undefined, undefined, async (raw) => {
  const [gate] = (["FIRST", "LAST"] as const).filter((name) => Buffer.from(raw).includes(name));
  if (gate) {
    hanging[gate] += 1;
    await gates[gate].promise;
  }
  return parseMail(raw);
});

async function openMailbox(acme: TestTeam): Promise<ChannelActor> {
  const address = `support@acme-${runtime.newId()}.example`;
  const { id: accountId } = await app.perform(acme.actor, createChannelAccount, {
    ...{ channel: "email", name: "Support", homeWidgetId: acme.widgetId },
    ...{ providerKey: address, settings: { address } },
  });
  return { kind: "channel", teamId: acme.teamId, accountId };
}

let mails = 0;
function take(mailbox: ChannelActor, texts: readonly string[]): Promise<void> {
  const raws = texts.map((text) => {
    mails += 1;
    return Buffer.from(
      `From: person${mails}@people.example\r\nMessage-ID: <turn${mails}@people.example>\r\n\r\n${text}\r\n`,
    );
  });
  return app.takeRawMails(mailbox, raws, { folder: "inbox", onRefused: () => {} });
}

async function importedOf({ accountId }: ChannelActor): Promise<number> {
  const where = `account_id = '${accountId}' AND state = 'imported'`;
  return (await query(storage, `SELECT 1 FROM mail_imports WHERE ${where}`)).length;
}

test("a mailbox with many mails lets another have its turn", async () => {
  const acme = await team();
  const [busy, small, ...others] = await Promise.all(Array.from({ length: 5 }, () => openMailbox(acme)));
  if (!busy || !small) throw new Error("There are not five.");
  expect(others.length).toBe(jobKinds["import-mail"].atOnce - 1);
  for (const other of others) await take(other, ["LAST"]);
  await expect.poll(() => hanging).toEqual({ FIRST: 0, LAST: 3 });

  const { accountId } = busy;
  await app.perform(acme.actor, setChannelAccountState, { accountId, state: "paused" });
  await take(busy, ["FIRST", ...Array.from({ length: MOST_A_JOB - 1 }, (_, n) => `Text ${n}`), "LAST"]);
  const unended = `queue_key = 'import-mail:${accountId}' AND state IN ('waiting', 'running')`;
  await expect.poll(() => query(storage, `SELECT 1 FROM jobs WHERE ${unended}`)).toEqual([]);
  await app.perform(acme.actor, setChannelAccountState, { accountId, state: "active" });
  await expect.poll(() => hanging.FIRST).toBe(1);

  await take(small, ["Hello"]);
  gates.FIRST.resolve();
  await expect.poll(() => importedOf(small)).toBe(1);
  // What is left of the busy one goes on after it.
  await expect.poll(() => hanging.LAST).toBe(4);
  expect(await importedOf(busy)).toBe(MOST_A_JOB);
  gates.LAST.resolve();
  await expect.poll(() => importedOf(busy)).toBe(MOST_A_JOB + 1);
});
