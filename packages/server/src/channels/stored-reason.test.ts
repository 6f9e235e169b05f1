/** Reasons in rows: by name since they have one, as a sentence before. */

import { randomUUID } from "node:crypto";
import { sessionOperations } from "@frontdesk/core/contract/session";
import { channelReason } from "@frontdesk/core/domain/channel-reason";
import { problemsOf } from "@frontdesk/testing/ajv";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { mailRoom } from "../email/out/mailbox-for-tests.ts";
import { noteAccountState } from "./note-account-state.ts";
import { saidReason, storedReason } from "./stored-reason.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, team } = kit;
await app.start();
const { mailbox, isIn } = mailRoom(kit);

async function scene() {
  const acme = await team();
  const settings = { address: `support-${acme.teamId}@acme.example`, inbound: { kind: "http" } };
  const { body } = await acme.post("/channels", { channel: "email", widget_id: acme.widgetId, settings });
  const id = body.data.id as string;
  const mia = await signedIn(kit, acme);
  const row = async () => (await query(storage, `SELECT * FROM channel_accounts WHERE id = '${id}'`))[0];
  const note = (of: Omit<Parameters<typeof noteAccountState.run>[1], "accountId">) =>
    app.perform({ kind: "system", teamId: acme.teamId }, noteAccountState, { accountId: id, ...of });
  const reasons = async () => {
    const answer = await mia.get("/channels/reasons");
    expect(problemsOf(sessionOperations.listChannelReasons.responses[200].body, answer.body)).toEqual([]);
    return answer.body.reasons;
  };
  const rest = async () => (await acme.get(`/channels/${id}`)).body.data.attributes;
  await expect.poll(async () => (await row())?.state).toMatch(/active|failing/);
  await note({ state: "active", reason: null });
  return { acme, id, row, note, reasons, rest };
}

test("the REST API has the sentence of a reason, and the dashboard its name and values as well", async () => {
  const { id, note, reasons, rest } = await scene();
  expect(await reasons()).toEqual([]);
  const words = '535 5.7.8 authentication failed {words} "$&"';
  await note({ state: "needs-sign-in", reason: channelReason("smtp.says", { words }) });
  expect(await rest()).toMatchObject({ state: "needs-sign-in", state_reason: words });
  expect(await rest()).not.toHaveProperty("named_reason");
  expect(await reasons()).toEqual([
    { channel_id: id, state_reason: words, named_reason: { reason: "smtp.says", values: { words } } },
  ]);
  await note({ state: "failing", reason: channelReason("imap.away") });
  expect(await reasons()).toMatchObject([{ named_reason: { reason: "imap.away" } }]);
  await note({ state: "active", reason: null });
  expect(await rest()).toMatchObject({ state: "active", state_reason: null });
  expect(await reasons()).toEqual([]);
});

test("a sentence of before is shown as it is, also when a process of before has changed it alone", async () => {
  const { id, note, reasons, rest } = await scene();
  const set = (columns: string) => query(storage, `UPDATE channel_accounts SET ${columns} WHERE id = '${id}'`);
  await set("state = 'failing', state_reason = 'The old server is away.'");
  expect(await reasons()).toEqual([{ channel_id: id, state_reason: "The old server is away.", named_reason: null }]);
  await note({ state: "failing", reason: channelReason("imap.away") });
  await set("state_reason = 'The old server is away.'");
  expect(await reasons()).toMatchObject([{ state_reason: "The old server is away.", named_reason: null }]);
  await set(`state_reason_named = '{"name":"imap.of-a-newer-service"}'`);
  expect(await reasons()).toMatchObject([{ named_reason: null }]);
  expect((await rest()).state_reason).toBe("The old server is away.");
});

test("who notes trouble ends it by its name, and by its sentence when it was noted without", async () => {
  const { id, note, row } = await scene();
  const works = { state: "active", reason: null, ownReasons: ["imap.away", "imap.refused"] } as const;
  await note({ state: "failing", reason: channelReason("smtp.blocked") });
  await note(works);
  expect(await row()).toMatchObject({ state: "failing" });
  await note({ state: "failing", reason: channelReason("imap.away") });
  await note(works);
  expect(await row()).toMatchObject({ state: "active", state_reason: null, state_reason_named: null });
  const before = "state = 'failing', state_reason = 'The mail server cannot be reached. Frontdesk keeps trying.'";
  await query(storage, `UPDATE channel_accounts SET ${before} WHERE id = '${id}'`);
  await note(works);
  expect(await row()).toMatchObject({ state: "active" });
});

test("a recipient has the server's words, or ours, by name; REST and the log of attempts have sentences alone", async () => {
  const acme = await team();
  const box = await mailbox(acme, { rcpt: { "will@will.example": "550 5.1.1 No such user" } });
  const ada = adasInbox(app, acme);
  const id = await box.arrives({ cc: "will@will.example" });
  await ada.post(`/conversations/${id}/messages`, { client_id: randomUUID(), type: "message", content: "Yes." });
  await isIn(acme, id, "failed");
  const named = { reason: "smtp.says", values: { words: "550 5.1.1 No such user" } };
  const shown = async () => (await ada.get(`/conversations/${id}/messages`)).messages.at(-1).delivery;
  expect(await shown()).toMatchObject({ reason: "550 5.1.1 No such user", named_reason: named });
  expect((await shown()).recipients).toEqual([
    { address: "vera@vera.example", state: "sent", reason: null },
    { address: "will@will.example", state: "failed", reason: "550 5.1.1 No such user", named_reason: named },
  ]);
  const { body } = await acme.get(`/conversations/${id}/messages?include_fields=delivery`);
  expect(JSON.stringify(body)).not.toContain("named");
  expect(body.data.find((each: { attributes: { delivery: unknown } }) => each.attributes.delivery)).toMatchObject({
    attributes: { delivery: { state: "failed", reason: "550 5.1.1 No such user" } },
  });
  // One of before.
  await query(storage, `UPDATE mail_recipients SET reason_named = NULL WHERE address = 'will@will.example'`);
  expect(await shown()).not.toHaveProperty("named_reason");
  expect(await shown()).toMatchObject({ reason: "550 5.1.1 No such user" });
});

test("a suppressed address says why by name", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const { sentence, named } = storedReason(channelReason("recipient.complained"));
  const insert = (address: string, values: string) =>
    query(
      storage,
      `INSERT INTO mail_suppressions (team_id, account_id, address, created_at, reason, reason_named)
       VALUES ('${acme.teamId}', '${box.id}', '${address}', 0, ${values})`,
    );
  await insert("will@will.example", `'${sentence}', '${named}'`);
  await insert("old@will.example", "'550 5.1.1', NULL");
  const mia = await signedIn(kit, acme);
  const { body } = await mia.get(`/channels/${box.id}/suppressions?limit=1&page=2`);
  expect(problemsOf(sessionOperations.listSuppressions.responses[200].body, body)).toEqual([]);
  expect(body).toMatchObject({
    total: 2,
    suppressions: [{ address: "will@will.example", named_reason: { reason: "recipient.complained" } }],
  });
  const first = await mia.get(`/channels/${box.id}/suppressions?limit=1&page=1`);
  expect(first.body.suppressions).toMatchObject([
    { address: "old@will.example", reason: "550 5.1.1", named_reason: null },
  ]);
});

test("a check of the dashboard has its findings by name as well, for admins alone", async () => {
  const { acme, id, rest } = await scene();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const answer = await abe.post(`/channels/${id}/check`, {});
  expect(problemsOf(sessionOperations.checkChannel.responses[200].body, answer.body)).toEqual([]);
  const rests = (await acme.post(`/channels/${id}/check`)).body.data;
  expect(answer.body.findings.map(({ named_reason: _, ...finding }: { named_reason: object }) => finding)).toEqual(
    rests,
  );
  expect(answer.body.findings[0].named_reason).toEqual({ reason: "check.callback" });
  const { settings } = await rest();
  const asked = {
    ...{ channel: "email", widget_id: acme.widgetId },
    settings: { address: "new@acme.example", inbound: settings.inbound },
  };
  const fresh = await abe.post("/channels/check", asked);
  expect(fresh.body.findings[0]).toMatchObject({ check: "callback", named_reason: { reason: "check.callback" } });
  const mia = await signedIn(kit, acme);
  expect((await mia.post(`/channels/${id}/check`, {})).status).toBe(403);
  expect((await mia.post("/channels/check", asked)).status).toBe(403);
});

test("a name without its sentence beside it is none", () => {
  const named = '{"name":"imap.away"}';
  expect(saidReason(null, named)).toEqual({ reason: null });
  expect(saidReason("The mail server cannot be reached. Frontdesk keeps trying.", named).named?.name).toBe("imap.away");
});
