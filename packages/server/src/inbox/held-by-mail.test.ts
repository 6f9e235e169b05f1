/** A reply by email that is held when an email comes in is its agent's again (docs/decisions/0052-undo-send.md). */
import { randomUUID } from "node:crypto";
import { inDepth } from "@frontdesk/testing/depth";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { openBeside, query } from "@frontdesk/testing/second-app";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { mailRoom, nextNumber } from "../email/out/mailbox-for-tests.ts";
import { createPerform } from "../perform.ts";
import { timerHandlers } from "../timers/timer-handlers.ts";
import { createTimerWorker } from "../timers/timer-worker.ts";
import { BROWSER_GONE_MS } from "./hold-reply.ts";
import { undoReply } from "./undo-reply.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, runtime, clock, team } = kit;
await app.start();
const { mailbox } = mailRoom(kit);
const HOLD_MS = 5_000;

const timeouts = heldTimeouts();
const timers = createTimerWorker({
  ...{ storage, runtime, perform: app.perform, handlers: timerHandlers, timeouts },
  logger: pino({ level: "silent" }),
});
afterAll(() => timers.stop());
timers.start();

const rows = (from: string, { teamId }: TestTeam) =>
  query(storage, `SELECT * FROM ${from} WHERE team_id = '${teamId}'`);

/** The time to undo is over, and every timer of the team that is due then has fired. */
async function timeIsOver(acme: TestTeam): Promise<void> {
  clock.advance(HOLD_MS + BROWSER_GONE_MS);
  const due = `SELECT 1 FROM timers WHERE team_id = '${acme.teamId}' AND kind = 'send-held-reply' AND due_at <= ${clock.now()}`;
  await expect
    .poll(async () => {
      timeouts.advance(HOLD_MS + BROWSER_GONE_MS);
      timers.wake(clock.now());
      timeouts.advance(0);
      return (await query(storage, due)).length;
    })
    .toBe(0);
}

/** A mailbox of Acme, and Mia, who is signed in. */
async function miaAtWork() {
  const acme = await team();
  const [mia, box] = [await signedIn(kit, acme), await mailbox(acme)];
  return { acme, mia, box, begins: () => mailConversation(box) };
}

/** A sender of its own has written; `answers` are further emails of the conversation. */
async function mailConversation(box: Awaited<ReturnType<typeof mailbox>>) {
  const number = nextNumber();
  const from = `Vera <vera${number}@vera.example>`;
  const id = `<asked-${number}@vera.example>`;
  const conversationId = await box.arrives({ from, more: [`Message-ID: ${id}`] });
  const answers = (more: string[] = [], who = from) =>
    box.arrives({ from: who, more: [`In-Reply-To: ${id}`, ...more], text: "One thing more" });
  return { conversationId, answers };
}

function repliesOf(mia: SignedIn, conversationId: string) {
  const at = `/inbox/conversations/${conversationId}`;
  const clientId = randomUUID();
  const reply = { client_id: clientId, content: "Yes, in stock." };
  return {
    clientId,
    hold: (more: object = {}) => mia.post(`${at}/held-replies`, { ...reply, hold_ms: HOLD_MS, ...more }),
    send: () => mia.post(`${at}/messages`, { ...reply, type: "message" }),
    undo: () => mia.delete(`${at}/held-replies?client_id=${clientId}`),
    begins: (content: string, more: object = {}) =>
      mia.request("PUT", `${at}/draft`, { mode: "reply", content, ...more }),
    drafts: async (): Promise<[content: string, returnedBy: string | null][]> => {
      const { body } = await mia.get(at);
      return body.drafts.map((draft: { content: string; returned_by: string | null }) => [
        draft.content,
        draft.returned_by,
      ]);
    },
    replies: async () => {
      const { body } = await mia.get(`${at}/messages`);
      return body.messages.filter(({ from }: { from: string }) => from === "agent");
    },
  };
}

test("it is a draft that says so, before what was begun meanwhile; nothing sends it any more", async () => {
  const { acme, mia, box, begins } = await miaAtWork();
  const { conversationId, answers } = await begins();
  const reply = repliesOf(mia, conversationId);
  await reply.hold();
  await reply.begins("And in red");
  await answers();
  expect(await reply.drafts()).toEqual([["Yes, in stock.\n\nAnd in red", "email"]]);
  expect((await mia.get("/inbox/drafts")).body.drafts).toMatchObject([{ returned_by: "email" }]);
  expect(await rows("held_replies", acme)).toMatchObject([{ state: "returned-by-email", reply: null }]);
  for (const late of [reply.send, reply.hold, reply.send]) {
    expect(await late()).toMatchObject({ status: 409, body: { reason: "reply-returned-by-email" } });
  }
  expect(await reply.undo()).toMatchObject({ status: 200, body: { sent: null } });
  await timeIsOver(acme);
  expect(await reply.replies()).toEqual([]);
  expect(box.smtp.mails).toEqual([]);
  expect(await reply.drafts()).toEqual([["Yes, in stock.\n\nAnd in red", "email"]]);
});

test("what made it a draft is said until the agent goes on with it", async () => {
  const { mia, begins } = await miaAtWork();
  const { conversationId, answers } = await begins();
  const reply = repliesOf(mia, conversationId);
  await reply.hold();
  await answers();
  // Another tab had something begun that is joined there.
  await reply.begins("Yes, in stock.\n\nIn red", { returned_by: "email" });
  expect(await reply.drafts()).toEqual([["Yes, in stock.\n\nIn red", "email"]]);
  await reply.begins("Yes, in stock. We deliver.");
  expect(await reply.drafts()).toEqual([["Yes, in stock. We deliver.", null]]);
  const bad = await reply.begins("Yes", { returned_by: "chat" });
  expect(bad.status).toBe(422);
});

test("it is read and sent again, as the answer to the new email", async () => {
  const { mia, box, begins } = await miaAtWork();
  const { conversationId, answers } = await begins();
  const reply = repliesOf(mia, conversationId);
  await reply.hold();
  await answers(["Message-ID: <more-of-it@vera.example>"]);
  const again = repliesOf(mia, conversationId);
  expect((await again.send()).status).toBe(201);
  expect(await reply.drafts()).toEqual([]);
  await expect.poll(() => box.smtp.mails.length).toBe(1);
  expect(box.smtp.mails[0]?.raw).toContain("In-Reply-To: <more-of-it@vera.example>");
});

test("so are those of all agents, and of one agent the first that was written comes first", async () => {
  const { acme, mia, begins } = await miaAtWork();
  const { conversationId, answers } = await begins();
  const other = await signedIn(kit, acme);
  const [first, second] = [repliesOf(mia, conversationId), repliesOf(mia, conversationId)];
  const ids = [randomUUID(), randomUUID()].toSorted();
  await first.hold({ client_id: ids[0] });
  await second.hold({ client_id: ids[1], content: "In blue too." });
  const theirs = repliesOf(other, conversationId);
  await theirs.hold({ content: "Ask Mia." });
  await answers();
  expect(await first.drafts()).toEqual([["Yes, in stock.\n\nIn blue too.", "email"]]);
  expect(await theirs.drafts()).toEqual([["Ask Mia.", "email"]]);
});

test("not by an automatic email, a copy of our own, an email of another conversation, or a message in a chat", async () => {
  const { acme, mia, box, begins } = await miaAtWork();
  const { conversationId, answers } = await begins();
  const earlier = repliesOf(mia, conversationId);
  await earlier.send();
  await expect.poll(() => box.smtp.mails.length).toBe(1);
  const reply = repliesOf(mia, conversationId);
  await reply.hold();
  await answers(["Auto-Submitted: auto-replied"]);
  await box.post(box.smtp.mails[0]?.raw ?? "");
  await expect
    .poll(async () => (await rows("mail_imports", acme)).filter(({ state }) => state === "ignored").length)
    .toBe(1);
  await begins();
  const { conversationId: chat, contactId } = await veraWrites(acme);
  const inChat = repliesOf(mia, chat);
  await inChat.hold();
  await veraWrites(acme, { contact_id: contactId, content: "And to Spain?" });
  expect((await rows("held_replies", acme)).map(({ state }) => state)).toEqual(["held", "held"]);
  await timeIsOver(acme);
  expect([(await reply.replies()).length, (await inChat.replies()).length]).toEqual([2, 1]);
});

const RUNS = inDepth(15, 150);

test("of an email, an undo, the browser and the timer, in two processes, exactly one comes first, and every answer says so", async () => {
  const beside = createPerform(await openBeside(storage), runtime);
  const { acme, mia, begins } = await miaAtWork();
  const seen = { sent: 0, undone: 0, "by email": 0 };
  const act = fc.constantFrom("email", "email", "send", "undo", "undo there", "hold", "the timer");
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (taken) => {
      const { conversationId, answers } = await begins();
      const { hold, send, undo, drafts, replies, clientId } = repliesOf(mia, conversationId);
      await hold();
      const said = async (one: (typeof taken)[number]): Promise<"sent" | "not sent" | undefined> => {
        switch (one) {
          case "email":
            await answers();
            return undefined;
          case "send":
            return (await send()).status === 201 ? "sent" : "not sent";
          case "undo":
            return (await undo()).body.sent ? "sent" : "not sent";
          case "undo there": {
            const { outcome } = await beside(mia.actor, undoReply, { conversationId, clientId });
            return outcome === "sent" ? "sent" : "not sent";
          }
          case "hold": {
            const { status, body } = await hold();
            if (status === 409) return "not sent";
            return body.sent ? "sent" : undefined;
          }
          case "the timer":
            await timeIsOver(acme);
            return undefined;
          default:
            return one satisfies never;
        }
      };
      const all = await Promise.all(taken.map(said));
      await timeIsOver(acme);
      const isSent = (await replies()).length === 1;
      for (const answer of all) if (answer) expect(answer).toBe(isSent ? "sent" : "not sent");
      expect(await replies()).toHaveLength(isSent ? 1 : 0);
      const [draft] = await drafts();
      expect(draft?.[0]).toBe(isSent ? undefined : "Yes, in stock.");
      const [left] = await query(storage, `SELECT state FROM held_replies WHERE client_id = '${clientId}'`);
      expect(draft?.[1] === "email").toBe(left?.state === "returned-by-email");
      seen[isSent ? "sent" : draft?.[1] === "email" ? "by email" : "undone"] += 1;
    }),
    // Each alone first, so that the premise holds whatever chance brings.
    { numRuns: RUNS, endOnFailure: true, examples: [[["email"]], [["send"]], [["undo"]], [["the timer"]]] },
  );
  // The premise: each came first at times.
  for (const [outcome, count] of Object.entries(seen)) expect(count, outcome).toBeGreaterThan(0);
});
