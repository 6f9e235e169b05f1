/** Replies that can be undone for some seconds (docs/decisions/0052-undo-send.md). */
import { randomUUID } from "node:crypto";
import { inDepth } from "@frontdesk/testing/depth";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { openBeside, query } from "@frontdesk/testing/second-app";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, eventNamesOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { watchedCleanUp } from "@frontdesk/testing/watched-clean-up";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, describe, expect, test, vi } from "vitest";
import { deactivateAgent } from "../agents/deactivate-agent.ts";
import { createPerform } from "../perform.ts";
import { timerHandlers } from "../timers/timer-handlers.ts";
import { createTimerWorker } from "../timers/timer-worker.ts";
import { BROWSER_GONE_MS } from "./hold-reply.ts";
import type { InboxMessage } from "./send-from-inbox.ts";
import { sendFromInbox } from "./send-from-inbox.ts";
import { undoReply } from "./undo-reply.ts";

const kit = await startTestApp();
const { app, storage, runtime, clock, team } = kit;
const HOLD_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

const timeouts = heldTimeouts();
const timers = createTimerWorker({
  ...{ storage, runtime, perform: app.perform, handlers: timerHandlers, timeouts },
  logger: pino({ level: "silent" }),
});
afterAll(() => timers.stop());
timers.start();

const rows = (from: string, { teamId }: TestTeam) =>
  query(storage, `SELECT * FROM ${from} WHERE team_id = '${teamId}'`);

/** Time goes on, and every timer of the team that is due then has fired. */
async function later(acme: TestTeam, ms: number): Promise<void> {
  clock.advance(ms);
  await expect
    .poll(async () => {
      timeouts.advance(ms);
      timers.wake(clock.now());
      timeouts.advance(0);
      return (await rows("timers", acme)).filter(({ due_at }) => Number(due_at) <= clock.now());
    })
    .toEqual([]);
}

/** Vera has written to Acme, whose agent Mia is signed in. */
async function miaAtWork() {
  const acme = await team();
  const mia = await signedIn(kit, acme);
  const written = await veraWrites(acme);
  return { acme, mia, ...written, ...repliesOf(mia, written.conversationId) };
}

function repliesOf(mia: SignedIn, conversationId: string) {
  const at = `/inbox/conversations/${conversationId}`;
  const clientId = randomUUID();
  const reply = { client_id: clientId, content: "We do, Vera." };
  return {
    clientId,
    hold: (more: object = {}) => mia.post(`${at}/held-replies`, { ...reply, hold_ms: HOLD_MS, ...more }),
    send: (more: object = {}) => mia.post(`${at}/messages`, { ...reply, type: "message", ...more }),
    undo: () => mia.delete(`${at}/held-replies?client_id=${clientId}`),
    draft: async () => {
      const { body } = await mia.get("/inbox/drafts");
      return body.drafts.map(({ mode, content }: { mode: string; content: string }) => `${mode}: ${content}`);
    },
    begins: (content: string) => mia.request("PUT", `${at}/draft`, { mode: "reply", content }),
    shown: async () => (await mia.get(at)).body.conversation,
    replies: async () => {
      const { body } = await mia.get(`${at}/messages`);
      return body.messages.filter(({ from }: { from: string }) => from === "agent");
    },
  };
}

describe("while it is held", () => {
  test("there is no message and no event, and the draft is gone", async () => {
    const { acme, hold, begins, draft, shown, replies } = await miaAtWork();
    await begins("We do, Ver");
    const before = await shown();
    expect(await eventNamesOf(acme, hold)).toEqual([]);
    expect(await replies()).toEqual([]);
    expect(await draft()).toEqual([]);
    expect(await shown()).toEqual(before);
  });

  test("a repeat changes nothing: it does not wait longer", async () => {
    const { acme, hold } = await miaAtWork();
    await hold();
    const before = await rows("timers", acme);
    clock.advance(1_000);
    expect(await hold()).toMatchObject({ status: 200, body: { sent: null } });
    expect(await rows("timers", acme)).toEqual(before);
  });

  test("it is refused as sending it would be: unknown, empty, an id that is taken, overtaken", async () => {
    const { acme, mia, hold, conversationId } = await miaAtWork();
    expect(await repliesOf(mia, randomUUID()).hold()).toMatchObject({ status: 404 });
    expect(await hold({ content: "" })).toMatchObject({
      status: 422,
      body: { errors: { content: [expect.any(String)] } },
    });
    for (const hold_ms of [0, 60_001]) expect(await hold({ hold_ms })).toMatchObject({ status: 422 });
    await hold();
    const other = await signedIn(kit, acme);
    const theirs = repliesOf(other, conversationId);
    const { clientId } = theirs;
    await theirs.hold();
    const taken = { status: 422, body: { errors: { client_id: [expect.any(String)] } } };
    expect(await hold({ client_id: clientId })).toMatchObject(taken);
    await adaReplies(acme, conversationId);
    expect(await hold({ client_id: randomUUID(), after_number: 1 })).toMatchObject({
      status: 409,
      body: { reason: "reply-overtaken", reply: { content: "We do, Vera." } },
    });
  });

  test("only people hold replies: an API key may not", async () => {
    const { acme, conversationId } = await miaAtWork();
    const body = { client_id: randomUUID(), content: "We do, Vera.", hold_ms: HOLD_MS };
    expect(await adasInbox(app, acme).ask("POST", `/conversations/${conversationId}/held-replies`, body)).toMatchObject(
      {
        status: 403,
      },
    );
  });
});

describe("when the time is over", () => {
  test("the service sends it once, as its agent, with its files, and resolves as asked", async () => {
    const { acme, mia, hold, replies, shown, clientId } = await miaAtWork();
    const url = "https://acme.test/prices.pdf";
    await hold({ attachments: [{ url }], resolve: true });
    await later(acme, HOLD_MS);
    expect(await replies()).toEqual([]);
    const events = await eventsOf(acme, () => later(acme, BROWSER_GONE_MS));
    expect(events.map(({ name }) => name)).toEqual(["message.sent", "agent.assigned", "conversation.resolved"]);
    for (const { actor } of events) expect(actor).toEqual({ kind: "agent", id: mia.actor.agentId });
    const created_at = new Date(clock.now()).toISOString();
    const sent = { client_id: clientId, content: "We do, Vera.", sent_via: "dashboard", created_at };
    expect(await replies()).toMatchObject([{ ...sent, agent: { id: mia.actor.agentId }, attachments: [{ url }] }]);
    expect(await shown()).toMatchObject({ is_resolved: true, unread_messages: 0 });
    expect(await rows("held_replies", acme)).toEqual([]);
    await later(acme, DAY_MS);
    expect(await replies()).toHaveLength(1);
  });

  test("also when its agent has signed out, and when the visitor has written meanwhile", async () => {
    const { acme, mia, hold, contactId } = await miaAtWork();
    await hold();
    await mia.post("/sign-out");
    expect((await mia.get("/inbox/drafts")).status).toBe(401);
    await veraWrites(acme, { contact_id: contactId, content: "And to Spain?" });
    expect(await eventNamesOf(acme, () => later(acme, HOLD_MS + BROWSER_GONE_MS))).toContain("message.sent");
  });

  test.each(["the browser", "the timer"])("what was begun meanwhile stays a draft when %s sends it", async (sender) => {
    const { acme, hold, send, begins, draft, replies } = await miaAtWork();
    await hold();
    await begins("And to Spain");
    await (sender === "the timer" ? later(acme, HOLD_MS + BROWSER_GONE_MS) : send());
    expect(await replies()).toHaveLength(1);
    expect(await draft()).toEqual(["reply: And to Spain"]);
  });

  test("the browser sends it at its time: what is repeated, or the timer does, sends nothing more", async () => {
    const { acme, hold, send, replies } = await miaAtWork();
    await hold();
    clock.advance(HOLD_MS);
    const { status, body } = await send();
    expect(status).toBe(201);
    expect((await send()).body.message).toEqual(body.message);
    expect((await hold()).body.sent.message).toEqual(body.message);
    await later(acme, BROWSER_GONE_MS);
    expect(await replies()).toHaveLength(1);
    expect(await rows("held_replies", acme)).toEqual([]);
    expect(await rows("timers", acme)).toEqual([]);
  });
});

describe("undoing it", () => {
  test("sends nothing, and makes it a draft before what was begun meanwhile", async () => {
    const { acme, hold, undo, begins, draft, replies } = await miaAtWork();
    await hold();
    await begins("And to Spain");
    expect(await eventNamesOf(acme, undo)).toEqual([]);
    expect(await draft()).toEqual(["reply: We do, Vera.\n\nAnd to Spain"]);
    expect(await undo()).toMatchObject({ status: 200, body: { sent: null } });
    expect(await draft()).toEqual(["reply: We do, Vera.\n\nAnd to Spain"]);
    await later(acme, DAY_MS);
    expect(await replies()).toEqual([]);
  });

  test("holds for what comes late: neither holding nor sending it does anything any more", async () => {
    const { acme, hold, send, undo, replies, draft } = await miaAtWork();
    expect(await undo()).toMatchObject({ status: 200, body: { sent: null } });
    for (const late of [hold, send, hold]) {
      expect(await late()).toMatchObject({ status: 409, body: { reason: "reply-undone" } });
    }
    await later(acme, DAY_MS);
    expect([await replies(), await draft()]).toEqual([[], []]);
  });

  test("comes too late for one that was sent, and says so with the message", async () => {
    const { acme, hold, undo, replies, draft } = await miaAtWork();
    await hold();
    await later(acme, HOLD_MS + BROWSER_GONE_MS);
    const { body } = await undo();
    expect(body.sent.message).toEqual((await replies())[0]);
    expect(await draft()).toEqual([]);
  });

  test("is for its own agent alone", async () => {
    const { acme, hold, replies, conversationId, clientId } = await miaAtWork();
    await hold();
    const other = await signedIn(kit, acme);
    const path = `/inbox/conversations/${conversationId}/held-replies?client_id=${clientId}`;
    expect(await other.delete(path)).toMatchObject({ status: 422 });
    await later(acme, HOLD_MS + BROWSER_GONE_MS);
    expect(await replies()).toHaveLength(1);
  });
});

describe("when it may not be sent any more", () => {
  test("because a teammate has replied, it is a draft again, and what comes late does nothing", async () => {
    const { acme, hold, send, begins, draft, replies, conversationId } = await miaAtWork();
    await hold({ after_number: 1 });
    await begins("And to Spain");
    await adaReplies(acme, conversationId);
    await later(acme, HOLD_MS + BROWSER_GONE_MS);
    expect(await replies()).toHaveLength(1);
    expect(await draft()).toEqual(["reply: We do, Vera.\n\nAnd to Spain"]);
    for (const late of [send, hold]) {
      expect(await late({ after_number: 1 })).toMatchObject({ status: 409, body: { reason: "reply-returned" } });
    }
    expect(await replies()).toHaveLength(1);
  });

  test("the browser that sends it hears of the teammate's reply, and may send it anyway", async () => {
    const { acme, hold, send, draft, replies, conversationId } = await miaAtWork();
    await hold({ after_number: 1 });
    await adaReplies(acme, conversationId);
    expect(await send({ after_number: 1 })).toMatchObject({ status: 409, body: { reason: "reply-overtaken" } });
    await later(acme, HOLD_MS + BROWSER_GONE_MS);
    expect([(await replies()).length, await draft()]).toEqual([1, []]);
    expect(await send({ after_number: 1, anyway: true })).toMatchObject({ status: 201 });
    expect(await replies()).toHaveLength(2);
  });

  test("because its agent was deactivated, it is their draft again", async () => {
    const { acme, mia, hold } = await miaAtWork();
    await hold();
    await app.perform(acme.actor, deactivateAgent, { agentId: mia.actor.agentId });
    await later(acme, HOLD_MS + BROWSER_GONE_MS);
    expect((await rows("messages", acme)).filter(({ agent_id }) => agent_id !== null)).toEqual([]);
    expect(await rows("drafts", acme)).toMatchObject([{ agent_id: mia.actor.agentId, content: "We do, Vera." }]);
    expect(await rows("timers", acme)).toEqual([]);
  });
});

const RUNS = inDepth(30, 300);

test("of all that is done with a reply at once, by two processes, it is either sent once or a draft, and every answer says so", async () => {
  const beside = createPerform(await openBeside(storage), runtime);
  const seen = { sent: 0, undone: 0 };
  const acts = fc.array(fc.constantFrom("hold", "send", "send there", "undo", "undo there", "the timer"), {
    minLength: 2,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), acts, async (isHeld, taken) => {
      const { acme, mia, hold, send, undo, draft, replies, conversationId, clientId } = await miaAtWork();
      if (isHeld) await hold();
      const message: InboxMessage = {
        ...{ conversationId, clientId, type: "message", content: "We do, Vera.", attachments: [], mentions: [] },
        ...{ afterNumber: undefined, anyway: false, resolve: false },
      };
      const said = async (act: (typeof taken)[number]): Promise<"sent" | "undone" | undefined> => {
        switch (act) {
          case "hold": {
            const { status, body } = await hold();
            if (status === 409) return "undone";
            return body.sent ? "sent" : undefined;
          }
          case "send":
            return (await send()).status === 201 ? "sent" : "undone";
          case "send there": {
            const { outcome } = await beside(mia.actor, sendFromInbox, message);
            return outcome === "sent" ? "sent" : "undone";
          }
          case "undo":
            return (await undo()).body.sent ? "sent" : "undone";
          case "undo there":
            return (await beside(mia.actor, undoReply, { conversationId, clientId })).outcome;
          case "the timer":
            await later(acme, HOLD_MS + BROWSER_GONE_MS);
            return undefined;
          default:
            return act satisfies never;
        }
      };
      const answers = await Promise.all(taken.map(said));
      await later(acme, HOLD_MS + BROWSER_GONE_MS);
      const outcome = (await replies()).length === 1 ? "sent" : "undone";
      for (const answer of answers) if (answer) expect(answer).toBe(outcome);
      if (isHeld) expect(await draft()).toEqual(outcome === "sent" ? [] : ["reply: We do, Vera."]);
      expect(await replies()).toHaveLength(outcome === "sent" ? 1 : 0);
      seen[outcome] += 1;
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  // The premise: both happened.
  for (const [outcome, count] of Object.entries(seen)) expect(count, outcome).toBeGreaterThan(0);
});

test("what is left of an undone reply goes after a day; a held one stays", async () => {
  const { acme, mia, undo, conversationId } = await miaAtWork();
  await undo();
  const held = repliesOf(mia, conversationId);
  await held.hold();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  clock.advance(DAY_MS);
  await watchedCleanUp({ storage, clock });
  expect(await rows("held_replies", acme)).toHaveLength(2);
  clock.advance(1);
  await watchedCleanUp({ storage, clock });
  vi.useRealTimers();
  expect(await rows("held_replies", acme)).toMatchObject([{ client_id: held.clientId, state: "held" }]);
});
