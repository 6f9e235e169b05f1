/** Replies that are held when an email comes in, against the real service: given back, and said why, in an open tab and a closed one. */
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterEach, expect, test } from "vitest";
import { mailRoom } from "../../server/src/email/out/mailbox-for-tests.ts";
import { type AgentInbox, createAgentInbox } from "./agent-inbox.ts";
import type { Locks } from "./browser.ts";
import { wallClock } from "./clock.ts";
import { tellingStorage } from "./storage-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, team } = kit;
const origin = await app.start();
const { mailbox } = mailRoom(kit);
const HOLD_MS = 60_000;
const PATIENCE = { interval: 20 };

const open: AgentInbox[] = [];
afterEach(() => {
  for (const inbox of open.splice(0)) inbox.close();
});

/** Mia, signed in, in whose mailbox Vera has asked something. */
async function miaAtWork() {
  const acme = await team();
  const [mia, box] = [await signedIn(kit, acme), await mailbox(acme)];
  const id = `<asked-${acme.teamId}@vera.example>`;
  const conversationId = await box.arrives({ more: [`Message-ID: ${id}`] });
  let time = 0;
  const line = { slow: undefined as Promise<unknown> | undefined };
  const fetch: typeof globalThis.fetch = async (address, init) => {
    const headers = { ...(init?.headers as object), cookie: mia.cookie, "sec-fetch-site": "same-origin" };
    const answer = await globalThis.fetch(address, { ...init, headers });
    if (init?.method === "POST" && String(address).endsWith("/held-replies")) await line.slow;
    return answer;
  };
  /** @param values the storage of the browser that it is in */
  const tab = (values = tellingStorage()) => {
    const inbox = createAgentInbox({
      origin,
      me: mia.actor.agentId,
      browser: {
        clock: { ...wallClock, now: () => wallClock.now() + time },
        storage: values.storage,
        onStored: values.onStored,
        fetch,
        WebSocket: undefined,
        locks: navigator.locks as unknown as Locks,
        isOffline: () => false,
      },
    });
    open.push(inbox);
    inbox.open();
    return inbox;
  };
  const content = "Yes, in stock.";
  return {
    ...{ tab, line, conversationId, content },
    /** The conversation is known, and the stream is there. */
    async isReady(inbox: AgentInbox) {
      inbox.openConversation(conversationId);
      await expect.poll(() => inbox.getState().connection, PATIENCE).toBe("live");
      await expect.poll(() => inbox.getState().conversations.has(conversationId), PATIENCE).toBe(true);
    },
    sends: (inbox: AgentInbox, more: object = {}) =>
      inbox.send({ conversation_id: conversationId, type: "message", content, ...more }, { holdMs: HOLD_MS }),
    isStored: () =>
      expect
        .poll(async () => (await mia.get(`/inbox/conversations/${conversationId}`)).body.drafts, PATIENCE)
        .toMatchObject([{ content, returned_by: "email" }]),
    isHeld: async (values: ReturnType<typeof tellingStorage>, clientId: string) => {
      const key = `frontdesk:inbox:${mia.actor.agentId}:held:${clientId}`;
      await expect.poll(() => JSON.parse(values.storage.getItem(key) ?? "{}").phase, PATIENCE).toBe("held");
    },
    isAsked: () =>
      expect
        .poll(() => query(storage, `SELECT state FROM held_replies WHERE team_id = '${acme.teamId}'`), PATIENCE)
        .toEqual([{ state: "held" }]),
    answers: () => box.arrives({ more: [`In-Reply-To: ${id}`], text: "One thing more" }),
    replies: async () => {
      const { body } = await mia.get(`/inbox/conversations/${conversationId}/messages`);
      return body.messages.filter(({ from }: { from: string }) => from === "agent");
    },
    passes(inbox: AgentInbox) {
      time += HOLD_MS;
      inbox.wake();
    },
    shown: (inbox: AgentInbox) => [inbox.draft(conversationId, "reply"), inbox.draftReturnedBy(conversationId)],
  };
}

test("an open tab gives it back at once, with its files, until the agent goes on with it", async () => {
  const { tab, isReady, sends, isHeld, answers, shown, conversationId, content, replies, passes } = await miaAtWork();
  const values = tellingStorage();
  const inbox = tab(values);
  await isReady(inbox);
  const attachments = [{ url: "https://acme.test/prices.pdf", name: "prices.pdf" }];
  const clientId = sends(inbox, { attachments });
  await isHeld(values, clientId);
  await answers();
  await expect.poll(() => shown(inbox), PATIENCE).toEqual([content, "email"]);
  expect(inbox.getState().outbox).toEqual([]);
  expect(inbox.takeReturned(conversationId)).toEqual([{ attachments, after_number: undefined }]);
  // What still offers to undo it leads back to it.
  expect(await inbox.undo(clientId)).toBe("undone");
  passes(inbox);
  expect(await replies()).toEqual([]);
  inbox.setDraft(conversationId, "reply", `${content} We deliver.`);
  expect(shown(inbox)).toEqual([`${content} We deliver.`, null]);
});

test("a reply of files alone is given back with them, and says so until it is sent again", async () => {
  const { tab, isReady, sends, isHeld, answers, shown, conversationId } = await miaAtWork();
  const values = tellingStorage();
  const inbox = tab(values);
  await isReady(inbox);
  const attachments = [{ url: "https://acme.test/prices.pdf", name: "prices.pdf" }];
  await isHeld(values, sends(inbox, { content: "", attachments }));
  await answers();
  await expect.poll(() => shown(inbox), PATIENCE).toEqual(["", "email"]);
  expect(inbox.takeReturned(conversationId)).toMatchObject([{ attachments }]);
  expect([...inbox.getState().drafts]).toEqual([]);
  // The service has answered that there is no draft.
  const key = [...Array(values.storage.length).keys()]
    .map((n) => values.storage.key(n))
    .find((name) => name?.includes(":draft:"));
  await expect.poll(() => JSON.parse(values.storage.getItem(key ?? "") ?? "{}").told, PATIENCE).toBe(true);
  expect(shown(inbox)).toEqual(["", "email"]);
  sends(inbox, { content: "", attachments });
  expect(shown(inbox)).toEqual(["", null]);
});

test("also when the answer to holding it comes after the email", async () => {
  const { tab, isReady, sends, isAsked, answers, shown, content, line } = await miaAtWork();
  const inbox = tab();
  await isReady(inbox);
  const { promise, resolve } = Promise.withResolvers<void>();
  line.slow = promise;
  sends(inbox);
  // The service has it; the tab does not know yet.
  await isAsked();
  await answers();
  const heard = () => [...inbox.getState().threads.values()].flatMap(({ messages }) => messages).length;
  await expect.poll(heard, PATIENCE).toBe(2);
  line.slow = undefined;
  resolve();
  await expect.poll(() => shown(inbox), PATIENCE).toEqual([content, "email"]);
});

test("a tab that was closed meanwhile, and another browser, show the draft and why", async () => {
  const { tab, isReady, sends, isHeld, answers, shown, content, isStored, passes, replies } = await miaAtWork();
  const values = tellingStorage();
  const first = tab(values);
  await isReady(first);
  await isHeld(values, sends(first));
  first.close();
  await answers();
  await isStored();
  const elsewhere = tab();
  await expect.poll(() => shown(elsewhere), PATIENCE).toEqual([content, "email"]);
  const again = tab(values);
  passes(again);
  await expect.poll(() => again.getState().outbox, PATIENCE).toEqual([]);
  await expect.poll(() => shown(again), PATIENCE).toEqual([content, "email"]);
  // Stored as it was: a reload says it still.
  again.close();
  const last = tab(values);
  await expect.poll(() => last.getState().people, PATIENCE).not.toBeNull();
  expect(shown(last)).toEqual([content, "email"]);
  await isStored();
  expect(await replies()).toEqual([]);
});
