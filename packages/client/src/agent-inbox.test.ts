/** An agent's inbox against the real service: what is shown at once, and the result. */
import { randomUUID } from "node:crypto";
import { INBOX_PREFIX } from "@frontdesk/core/contract/inbox";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createApiKey } from "../../server/src/access/create-api-key.ts";
import { createAgent } from "../../server/src/agents/create-agent.ts";
import { deleteCustomField } from "../../server/src/custom-data/delete-custom-field.ts";
import { updateCustomField } from "../../server/src/custom-data/update-custom-field.ts";
import { retain } from "../../server/src/privacy/apply-retention.ts";
import { deleteTag } from "../../server/src/tags/delete-tag.ts";
import { updateTag } from "../../server/src/tags/update-tag.ts";
import { type AgentInbox, createAgentInbox } from "./agent-inbox.ts";
import type { Browser } from "./browser.ts";
import { wallClock } from "./clock.ts";
import { heldClock } from "./clock-for-tests.ts";
import { listKey } from "./inbox-state.ts";
import { browserStorage, tellingStorage } from "./storage-for-tests.ts";
import { fastClock } from "./visit-for-tests.ts";

const { app, team, clock, storage, runtime } = await startTestApp();
const origin = await app.start();
const PATIENCE = { interval: 20 };

/** Ada's inbox, in a browser whose storage lasts. */
async function adaAt(acme: TestTeam, storage = browserStorage(), fetch = globalThis.fetch, clock = wallClock) {
  const inbox = createAgentInbox({
    origin,
    me: acme.ada.id,
    apiKey: acme.apiKey,
    browser: { storage, fetch, locks: undefined, clock },
  });
  inbox.open();
  await expect.poll(() => inbox.getState().connection, PATIENCE).toBe("live");
  await expect.poll(() => inbox.getState().people, PATIENCE).not.toBeNull();
  return inbox;
}

async function bensKey(acme: TestTeam) {
  const ben = {
    name: "Ben",
    email: `ben-${randomUUID()}@acme.test`,
    role: "CHAT_AGENT_MEMBER",
    passwordHash: null,
  } as const;
  const { id } = await app.perform(acme.actor, createAgent, ben);
  return { id, apiKey: (await app.perform(acme.actor, createApiKey, { name: "ben", agentId: id })).value };
}

async function veraHasWritten() {
  const acme = await team();
  clock.advance(1_000);
  return { acme, ...(await veraWrites(acme)) };
}

const listOn = (inbox: AgentInbox, view: "open" | "resolved" | "mine") =>
  inbox.getState().lists.get(listKey({ view }))?.ids;
const threadOn = (inbox: AgentInbox, id: string) =>
  inbox
    .getState()
    .threads.get(id)
    ?.messages.map(({ content }) => content);

test("what is done to a conversation is shown at once, and stays when the service has done it", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ada = await adaAt(acme);
  ada.openList({ view: "open" });
  ada.openList({ view: "resolved" });
  await expect.poll(() => listOn(ada, "open"), PATIENCE).toEqual([conversationId]);
  const done = ada.act([conversationId], "resolve", {});
  expect([listOn(ada, "open"), listOn(ada, "resolved")]).toEqual([[], [conversationId]]);
  expect(await done).toEqual({ done: [conversationId], failed: [] });
  expect([listOn(ada, "open"), listOn(ada, "resolved")]).toEqual([[], [conversationId]]);
  await expect.poll(() => ada.getState().conversations.get(conversationId)?.expected, PATIENCE).toEqual([]);
  expect(listOn(ada, "resolved")).toEqual([conversationId]);
  ada.close();
});

test("what is done to a conversation is confirmed also when its event comes before the answer", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const confirmed = (inbox: AgentInbox) => inbox.getState().conversations.get(conversationId)?.confirmed.is_resolved;
  const ada = await adaAt(acme, browserStorage(), async (address, init) => {
    const answer = await globalThis.fetch(address, init);
    if (String(address).endsWith("/resolve")) await expect.poll(() => confirmed(ada), PATIENCE).toBe(true);
    return answer;
  });
  ada.openList({ view: "open" });
  await expect.poll(() => listOn(ada, "open"), PATIENCE).toEqual([conversationId]);
  expect(await ada.act([conversationId], "resolve", {})).toEqual({ done: [conversationId], failed: [] });
  expect(ada.getState().conversations.get(conversationId)?.expected).toEqual([]);
  ada.close();
});

test("a contact whom a teammate unblocks is shown as unblocked, also to the one who has blocked them twice", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ben = await bensKey(acme);
  const ada = await adaAt(acme);
  ada.openList({ view: "open" });
  await expect.poll(() => listOn(ada, "open"), PATIENCE).toEqual([conversationId]);
  const known = () => ada.getState().conversations.get(conversationId);
  await ada.act([conversationId], "block", {});
  await expect.poll(() => known()?.confirmed.is_blocked, PATIENCE).toBe(true);
  // There is no event after the second.
  expect(await ada.act([conversationId], "block", {})).toEqual({ done: [conversationId], failed: [] });
  await fetch(`${origin}${INBOX_PREFIX}/conversations/${conversationId}/unblock`, {
    method: "POST",
    headers: { "x-api-key": ben.apiKey, "content-type": "application/json" },
    body: "{}",
  });
  await expect.poll(() => known()?.conversation.is_blocked, PATIENCE).toBe(false);
  ada.close();
});

test("a change that is refused is undone, and reported in words", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ada = await adaAt(acme);
  ada.openList({ view: "open" });
  await expect.poll(() => listOn(ada, "open"), PATIENCE).toEqual([conversationId]);
  const done = ada.act([conversationId], "snooze", { until: new Date(clock.now() - 1_000).toISOString() });
  expect(listOn(ada, "open")).toEqual([]);
  expect((await done).failed).toEqual([
    { id: conversationId, message: "Must be a time in the future, within one year.", reason: "snooze-time" },
  ]);
  expect(listOn(ada, "open")).toEqual([conversationId]);
  ada.close();
});

test("a message that crosses a snooze keeps the conversation from being snoozed", async () => {
  const acme = await team();
  const vera = { email: "vera@example.com" };
  const { conversationId } = await veraWrites(acme, vera);
  const { promise: onItsWay, resolve: deliver } = Promise.withResolvers<void>();
  const ada = await adaAt(acme, browserStorage(), async (address, init) => {
    if (String(address).endsWith("/snooze")) await onItsWay;
    return fetch(address, init);
  });
  ada.openList({ view: "open" });
  await expect.poll(() => listOn(ada, "open"), PATIENCE).toEqual([conversationId]);
  const done = ada.act([conversationId], "snooze", { until_reply: true });
  expect(listOn(ada, "open")).toEqual([]);
  await veraWrites(acme, { ...vera, content: "Are you there?" });
  deliver();
  expect((await done).failed).toEqual([
    { id: conversationId, message: "The visitor has written in the meantime.", reason: "visitor-wrote-meanwhile" },
  ]);
  expect(listOn(ada, "open")).toEqual([conversationId]);
  ada.close();
});

test("what is taken back at once is taken back after it was done, however long that takes", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const { conversationId: second } = await veraWrites(acme, { name: "Hugo" });
  const asked: string[] = [];
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const ada = await adaAt(acme, browserStorage(), async (input, init) => {
    const path = String(input);
    if (init?.method === "POST") asked.push(path.slice(path.lastIndexOf("/") + 1));
    if (path.endsWith("/bulk/resolve")) await gone;
    return fetch(input, init);
  });
  ada.openList({ view: "open" });
  await expect.poll(() => listOn(ada, "open")?.length, PATIENCE).toBe(2);
  const done = ada.act([conversationId, second], "resolve", {});
  const takenBack = ada.act([second], "reopen", {});
  expect(listOn(ada, "open")).toEqual([second]);
  const tagged = ada.act([randomUUID()], "tag", { name: "vip" });
  expect((await tagged).failed).toHaveLength(1);
  expect(asked).toEqual(["resolve", "tag"]);
  letGo();
  await Promise.all([done, takenBack]);
  expect(asked).toEqual(["resolve", "tag", "reopen"]);
  await expect.poll(() => listOn(ada, "open"), PATIENCE).toEqual([second]);
  await expect.poll(() => ada.getState().conversations.get(second)?.confirmed.is_resolved, PATIENCE).toBe(false);
  ada.close();
});

test("of many conversations each is changed by itself, and the outcome of each is reported", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const { conversationId: second } = await veraWrites(acme, { name: "Hugo" });
  const ada = await adaAt(acme);
  ada.openList({ view: "open" });
  await expect.poll(() => listOn(ada, "open")?.length, PATIENCE).toBe(2);
  const missing = randomUUID();
  const result = await ada.act([conversationId, second, missing], "assign", { agent_id: acme.ada.id });
  expect(result.done.toSorted()).toEqual([conversationId, second].toSorted());
  expect(result.failed).toMatchObject([{ id: missing }]);
  const has = (id: string) =>
    ada
      .getState()
      .conversations.get(id)
      ?.confirmed.assigned_agents.map(({ name }) => name);
  await expect.poll(() => [has(conversationId), has(second)], PATIENCE).toEqual([["Ada"], ["Ada"]]);
  ada.close();
});

test("a reply that a teammate was faster with waits with theirs beside it, and goes when it is sent anyway", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ada = await adaAt(acme);
  ada.openConversation(conversationId);
  await expect.poll(() => threadOn(ada, conversationId)?.length, PATIENCE).toBe(1);
  const ben = await bensKey(acme);
  await adaReplies(acme, conversationId, { agent_id: ben.id, content: "Ben was faster." });
  const id = ada.send({ conversation_id: conversationId, type: "message", content: "We do, Vera.", after_number: 1 });
  expect(ada.getState().outbox).toMatchObject([{ client_id: id, content: "We do, Vera.", refused: null }]);
  await expect
    .poll(() => ada.getState().outbox[0]?.refused, PATIENCE)
    .toMatchObject({ status: 409, reply: { content: "Ben was faster." } });
  ada.retry(id, { anyway: true });
  await expect.poll(() => ada.getState().outbox, PATIENCE).toEqual([]);
  expect(threadOn(ada, conversationId)?.slice(-2)).toEqual(["Ben was faster.", "We do, Vera."]);
  ada.close();
});

test("what was begun is there after a reload, on another machine, and gone when it was sent", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const storage = browserStorage();
  const before = await adaAt(acme, storage);
  before.setDraft(conversationId, "reply", "We d");
  before.setDraft(conversationId, "note", "Ask Ben");
  // Immediately: the browser may be closed before the request is sent.
  before.close();
  const after = await adaAt(acme, storage);
  expect([after.draft(conversationId, "reply"), after.draft(conversationId, "note")]).toEqual(["We d", "Ask Ben"]);
  expect([...after.getState().drafts]).toEqual([conversationId]);
  const elsewhere = async () => {
    const other = await adaAt(acme);
    await expect.poll(() => [...other.getState().drafts], PATIENCE).toEqual([conversationId]);
    const drafts = [other.draft(conversationId, "reply"), other.draft(conversationId, "note")];
    other.close();
    return drafts;
  };
  await expect.poll(elsewhere, PATIENCE).toEqual(["We d", "Ask Ben"]);
  after.send({ conversation_id: conversationId, type: "message", content: "We do." });
  await expect
    .poll(() => [after.draft(conversationId, "reply"), after.draft(conversationId, "note")], PATIENCE)
    .toEqual(["", "Ask Ben"]);
  await expect.poll(elsewhere, PATIENCE).toEqual(["", "Ask Ben"]);
  after.close();
});

test("signing out leaves nothing of the agent in the browser, and loses nothing", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const storage = browserStorage();
  const fetch: typeof globalThis.fetch = async (address, init) => {
    if (init?.method === "POST" && String(address).endsWith("/messages")) return new Response("{}", { status: 503 });
    return globalThis.fetch(address, init);
  };
  const ada = await adaAt(acme, storage, fetch);
  ada.setDraft(conversationId, "note", "Ask Ben");
  ada.send({ conversation_id: conversationId, type: "message", content: "We do." });
  ada.setDraft(conversationId, "reply", "In three");
  expect([...storage.values.values()].join()).toMatch(/Ask Ben.*We do|We do.*Ask Ben/);

  // When the service cannot be reached, the agent stays signed in and nothing is lost.
  await expect(ada.signOut(() => Promise.reject(new Error("no network")))).rejects.toThrow("no network");
  expect(ada.draft(conversationId, "note")).toBe("Ask Ben");

  let ended = false;
  await ada.signOut(async () => {
    ended = true;
  });
  expect(ended).toBe(true);
  expect([...storage.values]).toEqual([]);
  expect([...ada.getState().drafts, ...ada.getState().outbox]).toEqual([]);

  // The draft and the reply that was never sent are stored at the service.
  const back = await adaAt(acme, storage);
  const drafts = () => [back.draft(conversationId, "note"), back.draft(conversationId, "reply")];
  await expect.poll(drafts, PATIENCE).toEqual(["Ask Ben", "We do.\n\nIn three"]);
  back.close();
});

test("an answer about drafts that comes after signing out brings nothing back", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const storage = browserStorage();
  const first = await adaAt(acme, storage);
  first.setDraft(conversationId, "reply", "We d");
  await first.signOut(async () => {});
  let deliver = () => {};
  const onItsWay = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  let answered = false;
  const fetch: typeof globalThis.fetch = async (address, init) => {
    const answer = await globalThis.fetch(address, init);
    if (String(address).endsWith("/drafts")) {
      await onItsWay;
      answered = true;
    }
    return answer;
  };
  const second = await adaAt(acme, storage, fetch);
  await second.signOut(async () => {});
  deliver();
  await expect.poll(() => answered, PATIENCE).toBe(true);
  await new Promise(setImmediate);
  expect([...storage.values]).toEqual([]);
});

test("what is begun while the one before is on its way stays when that is sent", async () => {
  const { acme, conversationId } = await veraHasWritten();
  let deliver = () => {};
  const onItsWay = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  const fetch: typeof globalThis.fetch = async (address, init) => {
    if (init?.method === "POST" && String(address).endsWith("/messages")) await onItsWay;
    return globalThis.fetch(address, init);
  };
  const ada = await adaAt(acme, browserStorage(), fetch);
  ada.setDraft(conversationId, "reply", "We do.");
  ada.send({ conversation_id: conversationId, type: "message", content: "We do." });
  expect(ada.draft(conversationId, "reply")).toBe("");
  ada.setDraft(conversationId, "reply", "In three");
  deliver();
  await expect.poll(() => ada.getState().outbox, PATIENCE).toEqual([]);
  expect(ada.draft(conversationId, "reply")).toBe("In three");
  // The service drops its draft when the message is sent; the emptied draft is sent as well.
  const headers = { "x-api-key": acme.apiKey };
  const told = async () => (await globalThis.fetch(`${origin}${INBOX_PREFIX}/drafts`, { headers })).json();
  await expect.poll(told, PATIENCE).toMatchObject({ drafts: [{ content: "In three" }] });
  ada.close();
});

test("what was begun while the session is over is stored when they have signed in again", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const storage = browserStorage();
  let isSignedIn = true;
  let refused = 0;
  const ada = createAgentInbox({
    origin,
    me: acme.ada.id,
    apiKey: acme.apiKey,
    browser: {
      storage,
      clock: fastClock,
      locks: undefined,
      async fetch(address, init) {
        const headers = init?.headers as Record<string, string>;
        const over = { ...headers, "X-API-KEY": "a key that was revoked" };
        const answer = await fetch(address, { ...init, headers: isSignedIn ? headers : over });
        if (init?.method === "PUT" && answer.status === 401) refused += 1;
        return answer;
      },
    },
  });
  ada.open();
  await expect.poll(() => ada.getState().connection, PATIENCE).toBe("live");
  isSignedIn = false;
  ada.setDraft(conversationId, "reply", "We d");
  await expect.poll(() => [refused, ada.getState().isOver], PATIENCE).toEqual([1, true]);
  isSignedIn = true;
  ada.open();
  const elsewhere = await adaAt(acme);
  const begun = async () => {
    elsewhere.close();
    elsewhere.open();
    await expect.poll(() => elsewhere.getState().connection, PATIENCE).toBe("live");
    return elsewhere.draft(conversationId, "reply");
  };
  await expect.poll(begun, PATIENCE).toBe("We d");
  expect(ada.draft(conversationId, "reply")).toBe("We d");
  // A refused request is not repeated.
  expect(refused).toBe(1);
  elsewhere.close();
  ada.close();
});

test("what one tab writes, the others show as waiting, and as waiting no longer when it is sent", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const { storage, onStored } = tellingStorage();
  const tab = async () => {
    const inbox = createAgentInbox({
      origin,
      me: acme.ada.id,
      apiKey: acme.apiKey,
      browser: { storage, onStored, locks: undefined },
    });
    inbox.open();
    await expect.poll(() => inbox.getState().connection, PATIENCE).toBe("live");
    return inbox;
  };
  const [one, other] = [await tab(), await tab()];
  const shown: number[] = [];
  other.subscribe(() => shown.push(other.getState().outbox.length));
  one.send({ conversation_id: conversationId, type: "message", content: "We do." });
  await expect.poll(() => shown.includes(1), PATIENCE).toBe(true);
  // Its thread is not open in this tab, so it learns of the change only from the storage.
  await expect.poll(() => other.getState().outbox, PATIENCE).toEqual([]);
  one.close();
  other.close();
});

test("who types and who looks is shown, and over when they go", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ada = await adaAt(acme);
  const ben = await bensKey(acme);
  const bens = createAgentInbox({
    origin,
    me: ben.id,
    apiKey: ben.apiKey,
    browser: { storage: browserStorage(), locks: undefined },
  });
  bens.open();
  await expect.poll(() => bens.getState().connection, PATIENCE).toBe("live");
  const leave = bens.openConversation(conversationId);
  const looking = () =>
    ada
      .getState()
      .viewing.get(conversationId)
      ?.map(({ name }) => name);
  await expect.poll(looking, PATIENCE).toEqual(["Ben"]);
  bens.typing(conversationId, true);
  await expect.poll(() => ada.getState().typing.get(conversationId), PATIENCE).toMatchObject([{ name: "Ben" }]);
  await expect.poll(() => ada.getState().presence.agents.has(ben.id), PATIENCE).toBe(true);
  leave();
  await expect.poll(looking, PATIENCE).toBeUndefined();
  bens.close();
  await expect.poll(() => ada.getState().typing.get(conversationId), PATIENCE).toBeUndefined();
  ada.close();
});

test("what a teammate has begun is seen beside the conversation that is open, until it is sent", async () => {
  const { acme, conversationId } = await veraHasWritten();
  // What was begun is looked for seconds after the typing.
  const ada = await adaAt(acme, browserStorage(), globalThis.fetch, fastClock);
  const ben = await bensKey(acme);
  const bens = createAgentInbox({
    origin,
    me: ben.id,
    apiKey: ben.apiKey,
    browser: { storage: browserStorage(), locks: undefined, clock: fastClock },
  });
  bens.open();
  await expect.poll(() => bens.getState().connection, PATIENCE).toBe("live");
  ada.openConversation(conversationId);
  const begun = () =>
    ada
      .getState()
      .details.get(conversationId)
      ?.drafts_of_others.map(({ agent }) => agent.name);
  await expect.poll(begun, PATIENCE).toEqual([]);
  bens.setDraft(conversationId, "reply", "We d");
  bens.typing(conversationId, true);
  await expect.poll(begun, PATIENCE).toEqual(["Ben"]);
  bens.send({ conversation_id: conversationId, type: "message", content: "We do." });
  await expect.poll(begun, PATIENCE).toEqual([]);
  bens.close();
  ada.close();
});

test("what a teammate has begun is seen also when it was stored after it was looked for", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ben = await bensKey(acme);
  const [adasClock, bensClock] = [heldClock(), heldClock()];
  const { promise: onItsWay, resolve: deliver } = Promise.withResolvers<void>();
  let [looks, isHeld] = [0, false];
  const at = async (agent: { id: string; apiKey: string }, browser: Partial<Browser>) => {
    const { id: me, apiKey } = agent;
    const inbox = createAgentInbox({
      ...{ origin, me, apiKey },
      browser: { storage: browserStorage(), locks: undefined, ...browser },
    });
    inbox.open();
    await expect.poll(() => inbox.getState().connection, PATIENCE).toBe("live");
    return inbox;
  };
  const ada = await at(
    { id: acme.ada.id, apiKey: acme.apiKey },
    {
      clock: adasClock,
      async fetch(address, init) {
        const answer = await fetch(address, init);
        if (String(address).endsWith(`/conversations/${conversationId}`)) looks += 1;
        return answer;
      },
    },
  );
  const bens = await at(ben, {
    clock: bensClock,
    async fetch(address, init) {
      if (init?.method === "PUT") {
        isHeld = true;
        await onItsWay;
      }
      return fetch(address, init);
    },
  });
  ada.openConversation(conversationId);
  await expect.poll(() => looks, PATIENCE).toBe(1);
  bens.typing(conversationId, true);
  bens.setDraft(conversationId, "reply", "We d");
  bensClock.advance(1_000);
  await expect.poll(() => [isHeld, ada.getState().typing.has(conversationId)], PATIENCE).toEqual([true, true]);
  adasClock.advance(4_000);
  await expect.poll(() => looks, PATIENCE).toBe(2);
  deliver();
  const begun = () => {
    adasClock.advance(500);
    return ada
      .getState()
      .details.get(conversationId)
      ?.drafts_of_others.map(({ agent }) => agent.name);
  };
  await expect.poll(begun, { interval: 50 }).toEqual(["Ben"]);
  bens.close();
  ada.close();
});

test("a conversation that was open a moment ago is there at once, with what has come meanwhile", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ada = await adaAt(acme);
  const leave = ada.openConversation(conversationId);
  await expect.poll(() => threadOn(ada, conversationId)?.length, PATIENCE).toBe(1);
  leave();
  await adaReplies(acme, conversationId, { content: "Meanwhile." });
  await expect.poll(() => threadOn(ada, conversationId)?.at(-1), PATIENCE).toBe("Meanwhile.");
  ada.openConversation(conversationId);
  expect(ada.getState().threads.get(conversationId)?.loaded).toBe(true);
  expect(threadOn(ada, conversationId)?.at(-1)).toBe("Meanwhile.");
  ada.close();
});

test("of those that were open a moment ago the latest are kept", async () => {
  const { acme, conversationId: first } = await veraHasWritten();
  const ada = await adaAt(acme);
  const visit = async (id: string) => {
    const leave = ada.openConversation(id);
    await expect.poll(() => ada.getState().threads.get(id)?.loaded, PATIENCE).toBe(true);
    leave();
  };
  await visit(first);
  const others: string[] = [];
  for (let other = 0; other < 20; other += 1) {
    others.push((await veraWrites(acme, { name: `Hugo ${other}` })).conversationId);
    await visit(String(others.at(-1)));
  }
  expect(ada.getState().threads.size).toBe(20);
  expect(ada.getState().threads.has(first)).toBe(false);
  // The conversation that was closed longest ago is opened just when another one is closed.
  const [oldest, second] = others as [string, string];
  const leave = ada.openConversation(first);
  await expect.poll(() => ada.getState().threads.get(first)?.loaded, PATIENCE).toBe(true);
  leave();
  ada.openConversation(oldest);
  await Promise.resolve();
  expect(ada.getState().threads.get(oldest)?.loaded).toBe(true);
  expect(ada.getState().threads.has(second)).toBe(true);
  ada.close();
});

/** The timeline of a conversation, and its contact's name. */
const besideThread = (inbox: AgentInbox, id: string) => {
  const details = inbox.getState().details.get(id);
  return { done: details?.timeline.map(({ name }) => name), contact: details?.contact.attributes.name };
};

/** Holds back answers with conversation details until the returned function is called. */
function holdDetails(conversationId: string): { fetch: typeof fetch; letGo(): void; held(): number } {
  const address = `${origin}${INBOX_PREFIX}/conversations/${conversationId}`;
  let held = 0;
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (String(input) === address) {
        held += 1;
        await gone;
      }
      return answer;
    },
    letGo,
    held: () => held,
  };
}

test("events that arrive while a conversation loads are shown, too", async () => {
  const { acme, conversationId, contactId } = await veraHasWritten();
  const { fetch, letGo, held } = holdDetails(conversationId);
  const ada = await adaAt(acme, browserStorage(), fetch);
  ada.openList({ view: "resolved" });
  ada.openConversation(conversationId);
  await expect.poll(held, PATIENCE).toBe(1);
  expect((await acme.put(`/contacts/${contactId}`, { name: "Vera Vella" })).status).toBe(200);
  expect((await acme.post(`/conversations/${conversationId}/resolve`, { status: "resolved" })).status).toBe(200);
  await expect.poll(() => listOn(ada, "resolved"), PATIENCE).toEqual([conversationId]);
  letGo();
  await expect
    .poll(() => besideThread(ada, conversationId), PATIENCE)
    .toEqual({ done: ["conversation.resolved"], contact: "Vera Vella" });
  ada.close();
});

test("what happens while everything is fetched is on every part of the screen", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const { fetch, letGo, held } = holdDetails(conversationId);
  let resolved = () => {};
  const isResolved = new Promise<void>((resolve) => {
    resolved = resolve;
  });
  const inbox = createAgentInbox({
    origin,
    me: acme.ada.id,
    apiKey: acme.apiKey,
    browser: {
      storage: browserStorage(),
      locks: undefined,
      // The details are older than everything else.
      async fetch(input, init) {
        if (!String(input).endsWith(conversationId)) await isResolved;
        return fetch(input, init);
      },
    },
  });
  inbox.openConversation(conversationId);
  inbox.open();
  await expect.poll(held, PATIENCE).toBe(1);
  expect((await acme.post(`/conversations/${conversationId}/resolve`, { status: "resolved" })).status).toBe(200);
  resolved();
  letGo();
  await expect.poll(() => besideThread(inbox, conversationId).done, PATIENCE).toEqual(["conversation.resolved"]);
  inbox.close();
});

test("what is known of a visitor is asked for again when the answer was lost", async () => {
  const { acme, conversationId, contactId } = await veraHasWritten();
  let toLose = 0;
  const ada = await adaAt(
    acme,
    browserStorage(),
    async (input, init) => {
      if (!String(input).endsWith(conversationId) || toLose === 0) return fetch(input, init);
      toLose -= 1;
      throw new TypeError("The network is down.");
    },
    fastClock,
  );
  ada.openConversation(conversationId);
  await expect.poll(() => besideThread(ada, conversationId).contact, PATIENCE).toBe("Vera");
  toLose = 1;
  await acme.put(`/contacts/${contactId}`, { name: "Vera Vella" });
  await expect.poll(() => besideThread(ada, conversationId).contact, PATIENCE).toBe("Vera Vella");
  expect(toLose).toBe(0);
  ada.close();
});

test("what is typed changes nothing else that is shown", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ada = await adaAt(acme);
  ada.setDraft(conversationId, "reply", "W");
  const before = ada.getState();
  ada.setDraft(conversationId, "reply", "We");
  const after = ada.getState();
  expect([...after.drafts]).toEqual([conversationId]);
  expect([after.drafts === before.drafts, after.outbox === before.outbox]).toEqual([true, true]);
  ada.close();
});

test("an agent who goes through conversations quickly stays connected", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const ada = await adaAt(acme);
  const connections = new Set<string>();
  ada.subscribe(() => connections.add(ada.getState().connection));
  for (let steps = 0; steps < 40; steps += 1) {
    ada.openConversation(conversationId)();
    ada.typing(conversationId, true);
    ada.typing(conversationId, false);
  }
  await adaReplies(acme, conversationId, { content: "Still there." });
  ada.openConversation(conversationId);
  await expect.poll(() => threadOn(ada, conversationId)?.at(-1), PATIENCE).toBe("Still there.");
  expect([ada.getState().isOver, [...connections]]).toEqual([false, ["live"]]);
  ada.close();
});

test("a conversation that there is none of is unknown, and is not asked for again and again", async () => {
  const { acme } = await veraHasWritten();
  let asked = 0;
  const fetch: typeof globalThis.fetch = (address, ...rest) => {
    if (String(address).includes("/conversations/")) asked += 1;
    return globalThis.fetch(address, ...rest);
  };
  const ada = await adaAt(acme, browserStorage(), fetch);
  const id = randomUUID();
  ada.openConversation(id);
  await expect.poll(() => ada.getState().threads.get(id), PATIENCE).toMatchObject({ loaded: true, isUnknown: true });
  expect(asked).toBe(2);
  ada.close();
});

test("an agent who is no longer signed in gets that error, and nothing is tried again", async () => {
  const { acme } = await veraHasWritten();
  const stranger = createAgentInbox({
    origin,
    me: acme.ada.id,
    apiKey: "nonsense",
    browser: { storage: browserStorage(), locks: undefined },
  });
  stranger.open();
  await expect.poll(() => stranger.getState(), PATIENCE).toMatchObject({ isOver: true, connection: "offline" });
  stranger.close();
});

test("a tag that is renamed, recolored or deleted changes on every screen at once", async () => {
  const { acme, conversationId } = await veraHasWritten();
  const tag = async (of: string, name: string) =>
    (await acme.post(`/conversations/${of}/tags`, { name, color: "teal" })).body.data.id;
  const [refund, vip] = [await tag(conversationId, "refund"), await tag(conversationId, "vip")];
  const ada = await adaAt(acme);
  ada.openList({ view: "open" });
  ada.openList({ view: "open", tag_ids: [refund] });
  ada.openList({ view: "open", tag_ids: [vip] });
  const shown = () => ada.getState().conversations.get(conversationId)?.conversation.tags;
  const withTag = (tag: string) => ada.getState().lists.get(listKey({ view: "open", tag_ids: [tag] }))?.ids;
  const toChoose = () => ada.getState().people?.tags.map(({ name }) => name);
  await expect.poll(() => shown()?.length, PATIENCE).toBe(2);
  await expect.poll(() => withTag(vip), PATIENCE).toEqual([conversationId]);

  await app.perform(acme.actor, updateTag, { tagId: refund, change: { name: "money back", color: "red" } });
  await expect.poll(shown, PATIENCE).toMatchObject([{ id: refund, name: "money back", color: "red" }, { id: vip }]);
  await expect.poll(toChoose, PATIENCE).toEqual(["money back", "vip"]);
  expect(withTag(refund)).toEqual([conversationId]);

  await app.perform(acme.actor, deleteTag, { tagId: refund });
  await expect.poll(shown, PATIENCE).toMatchObject([{ id: vip }]);
  await expect.poll(toChoose, PATIENCE).toEqual(["vip"]);
  expect(withTag(refund)).toEqual([]);

  // A conversation on no screen enters the list of the tag that its own tag was merged into.
  const other = await veraWrites(acme);
  const late = await tag(other.conversationId, "VIPs");
  await app.perform(acme.actor, updateTag, { tagId: late, change: { name: "vip", merge: true } });
  await expect.poll(() => withTag(vip), PATIENCE).toEqual([other.conversationId, conversationId]);
  await expect.poll(toChoose, PATIENCE).toEqual(["vip"]);
  ada.close();
});

test("a custom field that is renamed changes beside the conversation that is open", async () => {
  const { acme, conversationId, contactId } = await veraHasWritten();
  const { body } = await acme.put(`/contacts/${contactId}/custom-data/plan`, { value: "Business" });
  const ada = await adaAt(acme);
  ada.openConversation(conversationId);
  const known = () =>
    ada
      .getState()
      .details.get(conversationId)
      ?.custom_data.map(({ attributes }) => `${attributes.name}: ${attributes.value}`);
  await expect.poll(known, PATIENCE).toEqual(["plan: Business"]);
  await app.perform(acme.actor, updateCustomField, { fieldId: body.data.id, name: "Tariff" });
  await expect.poll(known, PATIENCE).toEqual(["Tariff: Business"]);
  await app.perform(acme.actor, deleteCustomField, { fieldId: body.data.id });
  await expect.poll(known, PATIENCE).toEqual([]);
  ada.close();
});

test("texts that retention erases go from an open inbox, as after a reload, and later messages stay", async () => {
  const { acme, conversationId, contactId } = await veraHasWritten();
  await adaReplies(acme, conversationId, { content: "See this.", attachments: [{ url: "https://files.acme.test/a" }] });
  await adaSets(acme, conversationId, "resolved");
  expect((await acme.patch("/privacy", { erase_after_days: 10, erase_what: "texts" })).status).toBe(200);
  clock.advance(20 * 24 * 3_600_000);
  const open = async () => {
    const inbox = await adaAt(acme);
    for (const view of ["open", "resolved"] as const) inbox.openList({ view });
    inbox.openConversation(conversationId);
    await expect.poll(() => threadOn(inbox, conversationId)?.length, PATIENCE).toBeGreaterThan(1);
    await expect.poll(() => inbox.getState().conversations.has(conversationId), PATIENCE).toBe(true);
    return inbox;
  };
  const shown = (inbox: AgentInbox) => ({
    messages: inbox.getState().threads.get(conversationId)?.messages,
    last: inbox.getState().conversations.get(conversationId)?.confirmed.last_message,
  });
  const ada = await open();
  expect(threadOn(ada, conversationId)?.at(-1)).toBe("See this.");
  const parts = {
    ...{ storage, vault: runtime.vault, perform: app.perform },
    record: () => Promise.resolve(),
    removeFiles: () => Promise.resolve(),
  };
  await retain(parts, acme);
  await expect.poll(() => threadOn(ada, conversationId), PATIENCE).toEqual(["", ""]);
  const reloaded = await open();
  expect(shown(ada)).toEqual(shown(reloaded));
  expect(shown(ada)).toMatchObject({ last: { content: "", is_redacted: true } });
  await veraWrites(acme, { contact_id: contactId, content: "One more thing" });
  await expect.poll(() => threadOn(ada, conversationId), PATIENCE).toEqual(["", "", "One more thing"]);
  for (const inbox of [ada, reloaded]) inbox.close();
});
