/** Which mailboxes are read, and by which process. */
import { type ChannelReason, channelReason } from "@frontdesk/core/domain/channel-reason";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { loopbackConnector, mailOf } from "@frontdesk/testing/read-mailbox";
import { type ScriptedImap, startScriptedImap } from "@frontdesk/testing/scripted-imap";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { channelAccountById } from "../../channels/channel-account-store.ts";
import { createChannelAccount } from "../../channels/create-channel-account.ts";
import { noteAccountState } from "../../channels/note-account-state.ts";
import { setChannelAccountState } from "../../channels/set-channel-account-state.ts";
import { createSentIntake } from "../sent/sent-intake.ts";
import { INBOUND_PASSWORD } from "./imap-account.ts";
import { createImapReader, type ImapReader, LOOK_MS } from "./imap-reader.ts";
import { noteMailboxState } from "./note-mailbox-state.ts";

const { app, storage, team, runtime, clock } = await startTestApp();
const logger = pino({ level: "silent" });

let imap: ScriptedImap;
let readers: ImapReader[] = [];
beforeEach(async () => {
  imap = await startScriptedImap();
  await query(storage, "DELETE FROM mail_folders");
  await query(storage, "DELETE FROM mail_readers");
});
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.stop()));
  readers = [];
  await imap.stop();
});

/** A process that reads mailboxes, with what it has taken. */
function process() {
  const timeouts = heldTimeouts();
  const taken: string[] = [];
  const reader = createImapReader({
    ...{ storage, runtime, timeouts, connect: loopbackConnector, logger },
    sent: createSentIntake({ perform: app.perform, takeRawMails: app.takeRawMails, logger }),
    note: noteMailboxState(app.perform),
    take({ accountId }, raws) {
      for (const raw of raws) taken.push(`${accountId} ${/^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1]}`);
      return Promise.resolve();
    },
  });
  readers.push(reader);
  reader.start();
  return {
    reader,
    taken,
    /** Lets it look while waiting. */
    async until(condition: () => boolean | Promise<boolean>) {
      await expect
        .poll(() => {
          timeouts.advance(LOOK_MS);
          return condition();
        })
        .toBe(true);
    },
  };
}

let addresses = 0;
async function mailbox({ kind = "imap" } = {}) {
  const acme = await team();
  addresses += 1;
  const address = `support${addresses}@shop.example`;
  const inbound = { kind, host: "127.0.0.1", port: imap.port, security: "none", username: address, folder: "INBOX" };
  const account = await app.perform(acme.actor, createChannelAccount, {
    ...{ channel: "email", name: null, homeWidgetId: acme.widgetId, providerKey: address },
    ...{ settings: { address, inbound }, secrets: { [INBOUND_PASSWORD]: "secret" } },
  });
  return {
    ...{ accountId: account.id, teamId: acme.teamId },
    row: () => storage.first(channelAccountById, { team_id: acme.teamId, id: account.id }),
    owner: async () =>
      (await query(storage, `SELECT owner_id FROM mail_folders WHERE account_id = '${account.id}'`))[0]?.owner_id,
    set: (state: "active" | "paused") =>
      app.perform(acme.actor, setChannelAccountState, { accountId: account.id, state }),
  };
}

test("an account is read from its creation on, also one of before the start", async () => {
  const before = await mailbox();
  const one = process();
  await one.until(() => imap.idling() === 1);
  const after = await mailbox();
  await one.until(() => imap.idling() === 2);
  imap.deliver(mailOf("hello"));
  await expect
    .poll(() => one.taken.toSorted())
    .toEqual([`${before.accountId} hello`, `${after.accountId} hello`].toSorted());
});

test("an account that takes mail another way is not connected to, and is looked at once", async () => {
  const { owner } = await mailbox({ kind: "http" });
  const one = process();
  await one.until(async () => (await query(storage, "SELECT 1 FROM mail_folders WHERE is_due = 1")).length === 0);
  expect(await owner()).toBeNull();
  expect(imap.connections()).toBe(0);
});

test("a paused account is left, and read on after it", async () => {
  const { set, owner, accountId } = await mailbox();
  const one = process();
  await one.until(() => imap.idling() === 1);
  await set("paused");
  await one.until(() => imap.idling() === 0);
  expect(await owner()).toBeNull();
  imap.deliver(mailOf("meanwhile"));
  await set("active");
  await one.until(() => one.taken.length === 1);
  expect(one.taken).toEqual([`${accountId} meanwhile`]);
});

test("of two processes one reads a mailbox; when it stops, the other goes on at once", async () => {
  const { owner, accountId } = await mailbox();
  const one = process();
  await one.until(() => imap.idling() === 1);
  const two = process();
  const first = await owner();
  await two.until(async () => (await query(storage, "SELECT 1 FROM mail_readers")).length === 2);
  expect(imap.connections()).toBe(1);
  await one.reader.stop();
  await two.until(() => imap.idling() === 1);
  expect(await owner()).not.toBe(first);
  imap.deliver(mailOf("hello"));
  await expect.poll(() => two.taken).toEqual([`${accountId} hello`]);
  expect(one.taken).toEqual([]);
});

test("a process that does not renew its lease loses its mailboxes within 30 seconds, and takes no second mail", async () => {
  const { owner } = await mailbox();
  const one = process();
  await one.until(() => imap.idling() === 1);
  const first = await owner();
  const two = process();
  // The first does not run any more: only the second looks.
  clock.advance(14_000);
  await two.until(async () => (await query(storage, "SELECT 1 FROM mail_readers")).length === 2);
  expect(await owner()).toBe(first);
  clock.advance(10_000);
  await two.until(() => imap.idling() === 2);
  expect(await owner()).not.toBe(first);
  imap.deliver(mailOf("hello"));
  await expect.poll(() => two.taken.length).toBe(1);
  // Its position is not stored, so it ends.
  await expect.poll(() => imap.idling()).toBe(1);
  imap.deliver(mailOf("again"));
  await expect.poll(() => two.taken.length).toBe(2);
  expect(one.taken.length).toBeLessThanOrEqual(1);
});

test("what the connection meets is told in the state of the account, and ends with it", async () => {
  imap.faults.refuses = "AUTHENTICATIONFAILED";
  const { accountId, row, set } = await mailbox();
  const one = process();
  await one.until(async () => (await row())?.state === "needs-sign-in");
  // While it lasts no reply is tried, so that nothing else would tell the admins.
  const timers = await query(storage, `SELECT kind FROM timers WHERE subject_id = '${accountId}'`);
  expect(timers).toEqual([{ kind: "report-channel-trouble" }]);
  expect((await row())?.state_reason).toContain("refused the user name or the password");
  delete imap.faults.refuses;
  // An admin has changed something: no hour passes.
  await set("active");
  await one.until(() => imap.idling() === 1);
  expect(await row()).toMatchObject({ state: "active", state_reason: null });
});

test("trouble of reading ends with a connection, and trouble of sending does not", async () => {
  const { accountId, teamId, row } = await mailbox();
  const trouble = (reason: ChannelReason) =>
    app.perform({ kind: "system", teamId }, noteAccountState, { accountId, state: "failing", reason });
  await trouble(channelReason("imap.away"));
  const one = process();
  await one.until(async () => (await row())?.state === "active");
  await Promise.all([one.reader.stop(), trouble(channelReason("smtp.blocked"))]);
  const two = process();
  await two.until(() => imap.idling() === 1);
  expect(await row()).toMatchObject({
    state: "failing",
    state_reason: "The mail server is not on the public internet.",
  });
});
