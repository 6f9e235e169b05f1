/** Replies that can be undone, against the real service: sent once or given back, whatever happens on the way. */

import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { query } from "@frontdesk/testing/second-app";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { pino } from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { timerHandlers } from "../../server/src/timers/timer-handlers.ts";
import { createTimerWorker } from "../../server/src/timers/timer-worker.ts";
import { type AgentInbox, createAgentInbox } from "./agent-inbox.ts";
import type { Locks } from "./browser.ts";
import { wallClock } from "./clock.ts";
import { tellingStorage } from "./storage-for-tests.ts";

const kit = await startTestApp();
const { app, storage, runtime, clock, team } = kit;
const origin = await app.start();
const HOLD_MS = 60_000;
const PATIENCE = { interval: 20 };

const open: AgentInbox[] = [];
afterEach(() => {
  for (const inbox of open.splice(0)) inbox.close();
});

const timeouts = heldTimeouts();
const timers = createTimerWorker({
  ...{ storage, runtime, perform: app.perform, handlers: timerHandlers, timeouts },
  logger: pino({ level: "silent" }),
});
afterAll(() => timers.stop());
timers.start();

/** Mia, signed in, with a browser whose tabs share a storage and whose requests may be lost. */
async function miaAtWork() {
  const acme = await team();
  const mia = await signedIn(kit, acme);
  const { conversationId, contactId } = await veraWrites(acme);
  const { storage: values, onStored } = tellingStorage();
  const line = { cut: false, losesAnswers: false, isOffline: false, asked: [] as string[] };
  let time = 0;
  const fetch: typeof globalThis.fetch = async (address, init) => {
    const path = new URL(String(address)).pathname;
    if (init?.method !== "GET") line.asked.push(`${init?.method} ${path.split("/").at(-1)}`);
    if (line.cut) throw new TypeError("The network is cut.");
    const headers = { ...(init?.headers as object), cookie: mia.cookie, "sec-fetch-site": "same-origin" };
    const answer = await globalThis.fetch(address, { ...init, headers });
    if (line.losesAnswers && path.endsWith("/held-replies")) throw new TypeError("The answer is lost.");
    return answer;
  };
  const tab = () => {
    const inbox = createAgentInbox({
      origin,
      me: mia.actor.agentId,
      browser: {
        clock: { ...wallClock, now: () => wallClock.now() + time },
        storage: values,
        onStored,
        fetch,
        WebSocket: undefined,
        locks: navigator.locks as unknown as Locks,
        isOffline: () => line.isOffline,
      },
    });
    open.push(inbox);
    inbox.open();
    return inbox;
  };
  const message = { conversation_id: conversationId, type: "message" as const, content: "We do, Vera." };
  return {
    ...{ acme, mia, conversationId, contactId, line, tab, message },
    /** The time to undo is over, in this browser alone. */
    passes(inbox: AgentInbox, ms = HOLD_MS) {
      time += ms;
      inbox.wake();
    },
    replies: async (): Promise<string[]> => {
      const { body } = await mia.get(`/inbox/conversations/${conversationId}/messages`);
      return body.messages.flatMap(({ from, content }: { from: string; content: string }) =>
        from === "agent" ? [content] : [],
      );
    },
    draftAt: (inbox: AgentInbox) => inbox.draft(conversationId, "reply"),
    isHeld: async (inbox: AgentInbox) => {
      // Asked, and answered.
      await expect.poll(() => heldIn(inbox), PATIENCE).toBe("held");
    },
  };

  function heldIn(inbox: AgentInbox): string | undefined {
    const [first] = inbox.getState().outbox;
    const key = `frontdesk:inbox:${mia.actor.agentId}:held:${first?.client_id}`;
    return JSON.parse(values.getItem(key) ?? "{}").phase;
  }
}

/** The service's timers of that time fire, until it has this. */
async function serviceActs(read: () => Promise<string[]>, expected: string): Promise<void> {
  clock.advance(HOLD_MS + 2_000);
  // The worker's next look was set by the time before.
  timeouts.advance(HOLD_MS + 2_000);
  await expect
    .poll(async () => {
      timers.wake(clock.now());
      timeouts.advance(0);
      return read();
    }, PATIENCE)
    .toEqual([expected]);
}

const serviceSends = (replies: () => Promise<string[]>) => serviceActs(replies, "We do, Vera.");

/** Sending is refused: the reply is a draft. */
const serviceReturns = (mia: SignedIn, draft: string) =>
  serviceActs(
    async () => (await mia.get("/inbox/drafts")).body.drafts.map(({ content }: { content: string }) => content),
    draft,
  );

test("a held reply is shown at once with its time, and sent when it is over", async () => {
  const { tab, message, replies, isHeld, passes } = await miaAtWork();
  const inbox = tab();
  const clientId = inbox.send(message, { holdMs: HOLD_MS });
  expect(inbox.getState().outbox).toMatchObject([
    { client_id: clientId, content: message.content, refused: null, hold: { isUndoing: false } },
  ]);
  await isHeld(inbox);
  expect(await replies()).toEqual([]);
  passes(inbox);
  await expect.poll(replies, PATIENCE).toEqual([message.content]);
  await expect.poll(() => inbox.getState().outbox, PATIENCE).toEqual([]);
});

test("undone, it is in the field again before what was begun meanwhile, with its files, and nothing is sent", async () => {
  const { tab, message, replies, isHeld, passes, draftAt, conversationId } = await miaAtWork();
  const inbox = tab();
  const attachments = [{ url: "https://acme.test/prices.pdf", name: "prices.pdf" }];
  const clientId = inbox.send({ ...message, attachments, after_number: 1 }, { holdMs: HOLD_MS });
  await isHeld(inbox);
  inbox.setDraft(conversationId, "reply", "And to Spain");
  expect(await inbox.undo(clientId)).toBe("undone");
  expect(draftAt(inbox)).toBe("We do, Vera.\n\nAnd to Spain");
  expect(inbox.getState().outbox).toEqual([]);
  expect([...inbox.getState().returned]).toEqual([conversationId]);
  expect(inbox.takeReturned(conversationId)).toEqual([{ attachments, after_number: 1 }]);
  expect([...inbox.getState().returned]).toEqual([]);
  passes(inbox);
  clock.advance(HOLD_MS * 2);
  expect(await replies()).toEqual([]);
});

test("a reload goes on with it, and a tab that is closed leaves it to the service", async () => {
  const { tab, message, replies, isHeld, passes } = await miaAtWork();
  const first = tab();
  first.send(message, { holdMs: HOLD_MS });
  await isHeld(first);
  first.close();
  const second = tab();
  expect(second.getState().outbox).toMatchObject([{ content: message.content }]);
  second.close();
  await serviceSends(replies);
  // The browser comes back later: nothing is sent twice.
  const third = tab();
  passes(third);
  await expect.poll(() => third.getState().outbox, PATIENCE).toEqual([]);
  expect(await replies()).toEqual([message.content]);
});

test("of two tabs one sends it", async () => {
  const { tab, message, replies, isHeld, passes } = await miaAtWork();
  const [first, second] = [tab(), tab()];
  first.send(message, { holdMs: HOLD_MS });
  await isHeld(first);
  await expect.poll(() => second.getState().outbox, PATIENCE).toHaveLength(1);
  passes(first);
  passes(second, 0);
  for (const each of [first, second]) await expect.poll(() => each.getState().outbox, PATIENCE).toEqual([]);
  expect(await replies()).toEqual([message.content]);
});

test("another message in the conversation, or a note, sends it first", async () => {
  const { tab, message, replies, isHeld } = await miaAtWork();
  const inbox = tab();
  inbox.send(message, { holdMs: HOLD_MS });
  await isHeld(inbox);
  inbox.send({ ...message, content: "In two days." }, { holdMs: HOLD_MS });
  await expect.poll(replies, PATIENCE).toEqual([message.content]);
  inbox.send({ ...message, type: "note", content: "Who knows Spain?" }, { holdMs: HOLD_MS });
  await expect.poll(replies, PATIENCE).toEqual([message.content, "In two days.", "Who knows Spain?"]);
});

test("what is being undone is not sent by a message that follows", async () => {
  const { tab, message, line, draftAt, replies, isHeld } = await miaAtWork();
  const inbox = tab();
  const clientId = inbox.send(message, { holdMs: HOLD_MS });
  await isHeld(inbox);
  line.cut = true;
  const undone = inbox.undo(clientId);
  inbox.send({ ...message, type: "note", content: "Who knows Spain?" });
  line.cut = false;
  inbox.wake();
  expect(await undone).toBe("undone");
  await expect.poll(replies, PATIENCE).toEqual(["Who knows Spain?"]);
  expect(draftAt(inbox)).toBe(message.content);
  expect(inbox.getState().outbox).toEqual([]);
});

test("without a network it is undone at once, and nothing was ever asked", async () => {
  const { tab, message, line, draftAt, passes } = await miaAtWork();
  const inbox = tab();
  await expect.poll(() => inbox.getState().people, PATIENCE).not.toBeNull();
  line.isOffline = line.cut = true;
  line.asked.length = 0;
  const clientId = inbox.send(message, { holdMs: HOLD_MS });
  // Also when its time is over: it cannot have been sent.
  passes(inbox);
  expect(inbox.getState().outbox).toMatchObject([{ hold: { isUndoing: false } }]);
  expect(await inbox.undo(clientId)).toBe("undone");
  expect(draftAt(inbox)).toBe(message.content);
  expect(line.asked.filter((each) => each.endsWith("replies"))).toEqual([]);
});

test("what was written without a network is sent when it is back", async () => {
  const { tab, message, line, passes, replies } = await miaAtWork();
  const inbox = tab();
  await expect.poll(() => inbox.getState().people, PATIENCE).not.toBeNull();
  line.isOffline = line.cut = true;
  inbox.send(message, { holdMs: HOLD_MS });
  passes(inbox);
  line.isOffline = line.cut = false;
  inbox.wake();
  await expect.poll(replies, PATIENCE).toEqual([message.content]);
});

test("when the answer is lost, the text comes back only once the service has said that it is not sent", async () => {
  const { tab, message, line, draftAt, replies } = await miaAtWork();
  const inbox = tab();
  line.losesAnswers = true;
  const clientId = inbox.send(message, { holdMs: HOLD_MS });
  await expect.poll(() => line.asked, PATIENCE).toContain("POST held-replies");
  const undone = inbox.undo(clientId);
  await expect.poll(() => line.asked, PATIENCE).toContain("DELETE held-replies");
  expect(inbox.getState().outbox).toMatchObject([{ hold: { isUndoing: true } }]);
  expect(draftAt(inbox)).toBe("");
  line.losesAnswers = false;
  inbox.wake();
  expect(await undone).toBe("undone");
  expect(draftAt(inbox)).toBe(message.content);
  expect(await replies()).toEqual([]);
});

test("an undo that comes too late leaves the message sent, and nothing in the field", async () => {
  const { tab, message, line, draftAt, replies, isHeld } = await miaAtWork();
  const inbox = tab();
  const clientId = inbox.send(message, { holdMs: HOLD_MS });
  await isHeld(inbox);
  line.cut = true;
  const undone = inbox.undo(clientId);
  await serviceSends(replies);
  line.cut = false;
  inbox.wake();
  expect(await undone).toBe("sent");
  expect(draftAt(inbox)).toBe("");
  expect(inbox.getState().outbox).toEqual([]);
});

test("a teammate's reply in between refuses it when it is due, and it can be sent anyway", async () => {
  const { acme, tab, message, replies, isHeld, passes, conversationId } = await miaAtWork();
  const inbox = tab();
  const clientId = inbox.send({ ...message, content: "Yes.", after_number: 1 }, { holdMs: HOLD_MS });
  await isHeld(inbox);
  await adaReplies(acme, conversationId);
  passes(inbox);
  await expect.poll(() => inbox.getState().outbox, PATIENCE).toMatchObject([{ refused: { status: 409 } }]);
  inbox.retry(clientId, { anyway: true });
  await expect.poll(replies, PATIENCE).toEqual(["We do, Vera.", "Yes."]);
});

test("one that the service could not send while the browser was gone is a draft, once", async () => {
  const { acme, mia, tab, message, isHeld, passes, conversationId, draftAt } = await miaAtWork();
  const first = tab();
  first.send({ ...message, content: "Yes.", after_number: 1 }, { holdMs: HOLD_MS });
  await isHeld(first);
  first.close();
  await adaReplies(acme, conversationId);
  await serviceReturns(mia, "Yes.");
  const second = tab();
  passes(second);
  await expect.poll(() => second.getState().outbox, PATIENCE).toEqual([]);
  await expect.poll(() => draftAt(second), PATIENCE).toBe("Yes.");
});

test("one that the service could not send, and whose answer was lost, is in the field again", async () => {
  const { acme, mia, tab, message, line, conversationId, draftAt, replies } = await miaAtWork();
  const inbox = tab();
  line.losesAnswers = true;
  inbox.send({ ...message, content: "Yes.", after_number: 1 }, { holdMs: HOLD_MS });
  const held = `SELECT client_id FROM held_replies WHERE team_id = '${acme.teamId}'`;
  await expect.poll(async () => (await query(storage, held)).length, PATIENCE).toBe(1);
  await adaReplies(acme, conversationId);
  await serviceReturns(mia, "Yes.");
  line.losesAnswers = false;
  await expect
    .poll(() => {
      inbox.wake();
      return inbox.getState().outbox;
    }, PATIENCE)
    .toEqual([]);
  expect(draftAt(inbox)).toBe("Yes.");
  expect(await replies()).toEqual(["We do, Vera."]);
});

test("signing out leaves what is held to the service", async () => {
  const { mia, tab, message, isHeld, replies } = await miaAtWork();
  const inbox = tab();
  inbox.send(message, { holdMs: HOLD_MS });
  await isHeld(inbox);
  await inbox.signOut(async () => {});
  await serviceSends(replies);
  expect((await mia.get("/inbox/drafts")).body.drafts).toEqual([]);
});

test("without a time to undo it is sent as before", async () => {
  const { tab, message, line, replies } = await miaAtWork();
  const inbox = tab();
  inbox.send(message);
  await expect.poll(replies, PATIENCE).toEqual([message.content]);
  expect(line.asked.filter((each) => each.endsWith("held-replies"))).toEqual([]);
});
