/** At its caps the AI spends nothing more: visitors get people, with words, and the admins know before (reference rows B27 and B28). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { readMail, startMailServer } from "@frontdesk/testing/mail-server";
import { query } from "@frontdesk/testing/second-app";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import { updateAi } from "../settings/update-ai.ts";

const mail = await startMailServer();
afterAll(() => mail.stop());
const scene = await startAiScene({
  SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  MAIL_FROM: "Frontdesk <chat@acme.test>",
});
const { app, model, storage, clock } = scene;
afterAll(() => model.stop());

const QUESTION = "How long does a parcel take?";
const DAY_MS = 24 * 3_600_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

const hasSpent = ({ teamId }: TestTeam, tokens: number, day = dayOf(clock.now())) =>
  query(
    storage,
    `INSERT INTO ai_usage (team_id, day, tokens, reservations) VALUES ('${teamId}', '${day}', ${tokens}, '[]')
     ON CONFLICT (team_id, day) DO UPDATE SET tokens = ${tokens}`,
  );

/** The mails that the team has been sent: each is a job, so that none is still on its way. */
async function mails({ teamId, ada }: TestTeam) {
  const sent = `SELECT * FROM jobs WHERE team_id = '${teamId}' AND kind = 'send-mail'`;
  const inbox = () => mail.inbox.filter(({ to }) => to.includes(ada.email)).map(readMail);
  await expect.poll(async () => (await query(storage, sent)).length - inbox().length).toBe(0);
  return inbox();
}

/** Without those for the note after a handoff. */
const ofTurns = () => model.requests.filter(({ raw }) => !raw.includes("You summarise"));

/** A visitor asks; resolves to how that ended, and what they were told. */
async function asks(team: TestTeam, contactId?: string) {
  const before = ofTurns().length;
  const where = await scene.write(team, QUESTION, contactId);
  await scene.turn(where.conversationId);
  const run = (await scene.runs(where.conversationId)).at(-1);
  const said = (await scene.said(where.conversationId)).at(-1) ?? "";
  return { ...where, ended: `${run?.outcome}: ${run?.reason}`, said, requests: ofTurns().length - before };
}

const AT_CAP = { ended: "handed-over: cap-team", said: expect.stringContaining("our team"), requests: 0 };

test.each([
  ["day", { tokens_a_day: 100_000 }, "today", DAY_MS],
  ["month", { tokens_a_month: 100_000 }, "this month", 31 * DAY_MS],
] as const)(
  "at four fifths of the tokens of a %s the admins get a mail, once; at the cap visitors get people",
  async (_span, limits, words, next) => {
    const acme = await scene.team(limits);
    await hasSpent(acme, 79_000);
    expect(await asks(acme)).toMatchObject({ ended: "answered: grounded" });
    expect(await mails(acme)).toEqual([]);
    await hasSpent(acme, 79_900);
    expect(await asks(acme)).toMatchObject({ ended: "answered: grounded" });
    const [told] = await mails(acme);
    expect(told?.header("Subject")).toBe(`Robin has used most of its tokens for ${words}`);
    expect(told?.part("text/plain")).toContain("https://chat.test/app/settings/ai");
    expect(await asks(acme)).toMatchObject({ ended: "answered: grounded" });
    await hasSpent(acme, 99_900);
    const { conversationId, ...end } = await asks(acme);
    expect(end).toMatchObject(AT_CAP);
    expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "waiting" });
    expect(await mails(acme)).toHaveLength(1);
    // Then it begins anew.
    clock.advance(next);
    expect(await asks(acme)).toMatchObject({ ended: "answered: grounded" });
    await hasSpent(acme, 79_900);
    expect(await asks(acme)).toMatchObject({ ended: "answered: grounded" });
    expect(await mails(acme)).toHaveLength(2);
  },
);

test("the admins are told, too, when less than a question is left of a low limit, and once more after they have raised it", async () => {
  const acme = await scene.team({ tokens_a_day: 3_000 });
  await hasSpent(acme, 2_000);
  for (const _time of [1, 2]) expect(await asks(acme)).toMatchObject(AT_CAP);
  expect(await mails(acme)).toHaveLength(1);
  await app.perform(acme.actor, updateAi, { tokens_a_day: 3_500 });
  expect(await asks(acme)).toMatchObject({ ended: "answered: grounded" });
  for (const _time of [1, 2]) expect(await asks(acme)).toMatchObject(AT_CAP);
  expect(await mails(acme)).toHaveLength(2);
});

const TIMES = "once twice thrice again anew gladly surely truly mostly usually always indeed".split(" ");

test("a conversation gets twelve answers, then a person; the next one of the same visitor gets answers again", async () => {
  const acme = await scene.team();
  let contactId: string | undefined;
  for (const time of TIMES) {
    model.answerNext(`ANSWER\nParcels arrive within 3 working days, ${time}. [1]`);
    const end = await asks(acme, contactId);
    expect(end).toMatchObject({ ended: "answered: grounded", requests: 1 });
    ({ contactId } = end);
  }
  const { conversationId, ...end } = await asks(acme, contactId);
  expect(end).toMatchObject({ ...AT_CAP, ended: "handed-over: cap-conversation" });
  await app.perform(acme.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined });
  expect(await asks(acme, contactId)).toMatchObject({ ended: "answered: grounded" });
});

test("a conversation costs 60,000 tokens at most: what the next call may cost counts before it is made", async () => {
  const acme = await scene.team();
  const { conversationId, contactId } = await asks(acme);
  const { ai_state } = await scene.conversation(conversationId);
  const state = { ...JSON.parse(String(ai_state)), tokens: 59_500 };
  const set = `UPDATE conversations SET ai_state = '${JSON.stringify(state)}' WHERE id = '${conversationId}'`;
  await query(storage, set);
  expect(await asks(acme, contactId)).toMatchObject({ ...AT_CAP, ended: "handed-over: cap-conversation" });
});

test("a contact gets thirty answers a day over all conversations, then people until the next day", async () => {
  const acme = await scene.team();
  const resolve = (conversationId: string) =>
    app.perform(acme.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined });
  const { conversationId, contactId } = await asks(acme);
  await query(storage, `UPDATE ai_contact_usage SET answers = 29 WHERE contact_id = '${contactId}'`);
  await resolve(conversationId);
  expect(await asks(acme, contactId)).toMatchObject({ ended: "answered: grounded" });
  await resolve(conversationId);
  expect(await asks(acme, contactId)).toMatchObject({ ...AT_CAP, ended: "handed-over: cap-contact" });
  // Others are answered.
  expect(await asks(acme)).toMatchObject({ ended: "answered: grounded" });
  await resolve(conversationId);
  clock.advance(DAY_MS);
  expect(await asks(acme, contactId)).toMatchObject({ ended: "answered: grounded" });
});
