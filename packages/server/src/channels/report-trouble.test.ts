/** Admins hear of a channel that doesn't work any more, without looking at its page (reference B37). */
import { type ChannelReason, channelReason } from "@frontdesk/core/domain/channel-reason";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { readMail, startMailServer } from "@frontdesk/testing/mail-server";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { timerHandlers } from "../timers/timer-handlers.ts";
import { createTimerWorker } from "../timers/timer-worker.ts";
import { type NotedAccountState, noteAccountState } from "./note-account-state.ts";
import { NEW_FOR_MS, REPORTED_AFTER_MS, REPORTED_AGAIN_AFTER_MS, REPORTS_MAX } from "./report-trouble.ts";

const server = await startMailServer();
afterAll(server.stop);
// Its mails are sent by the app's own jobs: two who do the jobs of one database take them from each other.
const kit = await startTestApp({
  ...{ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "Frontdesk <chat@acme.test>" },
  PUBLIC_URL: "https://chat.acme.example",
});
const { app, storage, runtime, clock, team } = kit;
const timeouts = heldTimeouts();
const timers = createTimerWorker({
  ...{ storage, runtime, perform: app.perform, handlers: timerHandlers, timeouts },
  logger: pino({ level: "silent" }),
});
afterAll(() => timers.stop());
timers.start();

/** Time goes on, and every timer that is due then and every job of the team is done. */
async function later({ teamId }: TestTeam, ms: number): Promise<void> {
  clock.advance(ms);
  const due = `SELECT kind FROM jobs WHERE team_id = '${teamId}' AND state <> 'done'
    UNION ALL SELECT kind FROM timers WHERE team_id = '${teamId}' AND due_at <= ${clock.now()}`;
  await expect
    .poll(async () => {
      timeouts.advance(ms);
      timers.wake(clock.now());
      timeouts.advance(0);
      return query(storage, due);
    })
    .toEqual([]);
}

/** A team with an owner, an admin, a member and an admin who has left, and its mailbox, which has worked for a day. */
async function mailbox() {
  const acme = await team();
  const [olga, abe, mia, gone] = [
    await signedIn(kit, acme, "CHAT_AGENT_OWNER"),
    await signedIn(kit, acme, "CHAT_AGENT_ADMIN"),
    await signedIn(kit, acme),
    await signedIn(kit, acme, "CHAT_AGENT_ADMIN"),
  ];
  await olga.post(`/agents/${gone.actor.agentId}/deactivate`, {});
  const settings = { address: `support-${acme.teamId}@acme.example`, inbound: { kind: "http" } };
  const { body } = await acme.post("/channels", { channel: "email", widget_id: acme.widgetId, name: "Help", settings });
  const id = body.data.id as string;
  const isNow = (state: NotedAccountState["state"], reason: ChannelReason | null = null) =>
    app.perform({ kind: "system", teamId: acme.teamId }, noteAccountState, { accountId: id, state, reason });
  const mails = () => reportsOf(settings.address, [olga, abe, mia, gone]);
  await isNow("active");
  await later(acme, REPORTED_AGAIN_AFTER_MS);
  return { acme, olga, abe, id, address: settings.address, isNow, mails };
}

/** The e-mails about a mailbox that these agents got; they get others, such as invitations. */
const reportsOf = (address: string, agents: { email: string }[]) =>
  server.inbox
    .filter(({ to }) => agents.some(({ email }) => to.includes(email)))
    .map((mail) => ({ to: mail.to, read: readMail(mail) }))
    .filter(({ read }) => read.header("Subject").startsWith(`${address} `));

test("a sign-in that has ended is reported within minutes to owners and admins, with what to do", async () => {
  const { acme, olga, abe, id, address, isNow, mails } = await mailbox();
  await isNow("needs-sign-in", channelReason("token.refused"));
  await later(acme, REPORTED_AFTER_MS["needs-sign-in"] - 1);
  expect(mails()).toEqual([]);
  await later(acme, 1);
  expect(
    mails()
      .flatMap(({ to }) => to)
      .toSorted(),
  ).toEqual([olga.email, abe.email].toSorted());
  const mail = mails()[0]?.read;
  expect(mail?.header("Subject")).toBe(`${address} needs a sign-in`);
  const text = mail?.part("text/plain");
  expect(text).toContain(`Help (${address})\n\nThe sign-in is missing, or it has ended. Sign in again.\n`);
  expect(text).toContain(`\nhttps://chat.acme.example/app/settings/channels/${id}\n`);
  expect(REPORTED_AFTER_MS["needs-sign-in"]).toBeLessThan(5 * 60_000);
});

test("a server that is away for a while is not reported, and one that stays away is", async () => {
  const { acme, address, isNow, mails } = await mailbox();
  await isNow("failing", channelReason("imap.away"));
  await later(acme, REPORTED_AFTER_MS.failing - 1);
  await isNow("active");
  await later(acme, 2);
  await isNow("failing", channelReason("imap.away"));
  await later(acme, REPORTED_AFTER_MS.failing - 1);
  expect(mails()).toEqual([]);
  await later(acme, 1);
  expect(mails()).toHaveLength(2);
  expect(mails()[0]?.read.header("Subject")).toBe(`${address} doesn't work`);
});

test("what lasts is reported a few times, a day apart, and what comes and goes no more often", async () => {
  const { acme, isNow, mails } = await mailbox();
  await isNow("needs-sign-in");
  await later(acme, REPORTED_AFTER_MS["needs-sign-in"]);
  for (let hour = 0; hour < 12; hour++) {
    await isNow("active");
    await isNow("needs-sign-in");
    await later(acme, 3_600_000);
  }
  expect(mails()).toHaveLength(2);
  for (let day = 0; day < 5; day++) await later(acme, REPORTED_AGAIN_AFTER_MS);
  expect(mails()).toHaveLength(2 * REPORTS_MAX);
});

test("nothing is reported of a channel that is new, paused or deleted", async () => {
  const { acme, id, isNow, mails } = await mailbox();
  await isNow("failing");
  await acme.patch(`/channels/${id}`, { state: "paused" });
  await later(acme, REPORTED_AFTER_MS.failing);
  await acme.patch(`/channels/${id}`, { state: "active" });
  await isNow("failing");
  await acme.delete(`/channels/${id}`);
  await later(acme, REPORTED_AGAIN_AFTER_MS);
  expect(mails()).toEqual([]);

  const other = await team();
  const olga = await signedIn(kit, other, "CHAT_AGENT_OWNER");
  const settings = { address: `new-${other.teamId}@acme.example`, inbound: { kind: "http" } };
  const { body } = await other.post("/channels", { channel: "email", widget_id: other.widgetId, settings });
  // It is tried first.
  await later(other, 0);
  const noted = { accountId: body.data.id, state: "needs-sign-in", reason: null } as const;
  await app.perform({ kind: "system", teamId: other.teamId }, noteAccountState, noted);
  await later(other, NEW_FOR_MS - 1);
  const hers = () => reportsOf(settings.address, [olga]);
  expect(hers()).toEqual([]);
  await later(other, 1);
  expect(hers()).toHaveLength(1);
});
