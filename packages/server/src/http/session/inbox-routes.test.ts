/** An agent's inbox over HTTP (docs/decisions/0026-inbox.md). */
import { randomUUID } from "node:crypto";
import {
  InboxContact,
  InboxConversationDetails,
  InboxCounts,
  InboxFound,
  InboxList,
  InboxPeople,
  InboxThread,
  inboxOperations,
} from "@frontdesk/core/contract/inbox";
import { LiveConversation, LiveMessage, type TimelineEntry } from "@frontdesk/core/contract/live";
import { problemsOf } from "@frontdesk/testing/ajv";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { adasInbox, bensInbox, type InboxClient } from "@frontdesk/testing/inbox-client";
import { dump, query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { eventNamesOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { requestHandoff } from "../../conversations/request-handoff.ts";

const { app, storage, team, clock } = await startTestApp();
const HOUR_MS = 3_600_000;

async function acmeAtWork() {
  const acme = await team();
  const ada = adasInbox(app, acme);
  const ben = await bensInbox(app, acme);
  const written = async (content = "Do you ship to Portugal?", more: object = {}) => {
    clock.advance(1_000);
    return veraWrites(acme, { content, ...more });
  };
  return { acme, ada, ben, written };
}

const reply = (inbox: InboxClient, conversationId: string, more: object = {}) =>
  inbox.ask("POST", `/conversations/${conversationId}/messages`, {
    client_id: randomUUID(),
    type: "message",
    content: "We do, Vera.",
    ...more,
  });

const inFuture = (ms: number) => new Date(clock.now() + ms).toISOString();

describe("who may", () => {
  test("an agent who is not signed in and has no key is asked to sign in", async () => {
    const { acme } = await acmeAtWork();
    const { statusCode } = await app.http.inject({ url: "/app/api/inbox/counts" });
    expect(statusCode).toBe(401);
    const wrong = await app.http.inject({ url: "/app/api/inbox/counts", headers: { "x-api-key": `${acme.apiKey}x` } });
    expect(wrong.statusCode).toBe(401);
  });

  test("a key that may only read cannot write, and one that may not read conversations sees nothing", async () => {
    const acme = await team({ scopes: ["conversations:read"] });
    const reader = adasInbox(app, acme);
    expect((await reader.ask("GET", "/counts")).status).toBe(200);
    expect((await reader.ask("PUT", "/preferences", {})).status).toBe(403);
    const outsider = adasInbox(app, await team({ scopes: ["contacts:read"] }));
    expect((await outsider.ask("GET", "/conversations?view=open")).status).toBe(403);
  });

  test("a key that may only write conversations gets no conversation as the answer of a change", async () => {
    const acme = await team({ scopes: ["conversations:write", "contacts:write", "contacts:read"] });
    const { conversationId, contactId } = await veraWrites(acme);
    const writer = adasInbox(app, acme);
    for (const path of [`/conversations/${conversationId}/resolve`, `/contacts/${contactId}/block`]) {
      expect((await writer.ask("POST", path, {})).status, path).toBe(403);
    }
    expect((await acme.events()).map(({ name }) => name)).not.toContain("conversation.resolved");
  });

  test("a key sees the contact beside a conversation, and who else is in the team, with the scopes for these", async () => {
    const reading = ["/search?q=vera", "/people"];
    const few = await team({ scopes: ["conversations:read", "conversations:write"] });
    const { conversationId } = await veraWrites(few);
    for (const path of [...reading, `/conversations/${conversationId}`]) {
      expect((await adasInbox(app, few).ask("GET", path)).status, path).toBe(403);
    }
    const enough = await team({ scopes: ["conversations:read", "contacts:read", "agents:read", "widgets:read"] });
    for (const path of reading) expect((await adasInbox(app, enough).ask("GET", path)).status, path).toBe(200);
  });

  test("an agent who is signed in has an inbox, requested by pages of ours; the team's canned replies are the admins'", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const [mia, abe] = [await signedIn({ app }, acme), await signedIn({ app }, acme, "CHAT_AGENT_ADMIN")];
    const counts = await mia.request("GET", "/inbox/counts");
    expect([counts.status, counts.body.views?.open]).toEqual([200, { count: 1, unread: 1 }]);
    const said = { client_id: randomUUID(), type: "message", content: "We do, Vera." };
    const sent = await mia.post(`/inbox/conversations/${conversationId}/messages`, said);
    expect([sent.status, sent.body.message?.agent.name, sent.body.message?.sent_via]).toEqual([
      201,
      "Mia",
      "dashboard",
    ]);
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await mia.post(`/inbox/conversations/${conversationId}/resolve`, {}, foreign)).status).toBe(403);

    const canned = { name: "Refund", content: "Hi {{contact.name|there}}" };
    expect((await mia.post("/inbox/canned-replies/team", canned)).status).toBe(403);
    expect((await abe.post("/inbox/canned-replies/team", canned)).status).toBe(201);
    const { body } = await mia.request("GET", "/inbox/canned-replies");
    expect(body.canned_replies).toMatchObject([{ whose: "team", name: "Refund" }]);
    const { id } = body.canned_replies[0];
    // It is the team's, and no agent's own.
    expect((await mia.request("DELETE", `/inbox/canned-replies/own/${id}`, {})).status).toBe(404);
    const log = await query(storage, `SELECT action, what FROM audit_log WHERE team_id = '${acme.teamId}'`);
    expect(log.filter(({ action }) => action === "write-team-canned-replies")).toHaveLength(1);
  });

  test("a conversation of another team is as unknown, at every route", async () => {
    const { written } = await acmeAtWork();
    const { conversationId } = await written();
    const sam = adasInbox(app, await team());
    expect(await sam.list("view=all")).toEqual([]);
    const before = await dump(storage);
    for (const id of [conversationId, randomUUID(), "nonsense"]) {
      expect((await sam.ask("GET", `/conversations/${id}`)).status).toBe(404);
      expect((await sam.ask("GET", `/conversations/${id}/messages`)).status).toBe(404);
      expect((await reply(sam, id)).status).toBe(404);
      expect((await sam.ask("PUT", `/conversations/${id}/draft`, { mode: "reply", content: "x" })).status).toBe(404);
      for (const action of [
        "read",
        "unread",
        "resolve",
        "reopen",
        "unsnooze",
        "block",
        "unblock",
        "take-over",
        "return-to-assistant",
      ]) {
        expect((await sam.ask("POST", `/conversations/${id}/${action}`, {})).status, action).toBe(404);
      }
    }
    expect((await dump(storage)) === before).toBe(true);
  });
});

describe("the lists", () => {
  test("show a conversation in the views it belongs to, and count it there", async () => {
    const { acme, ada, ben, written } = await acmeAtWork();
    const { conversationId: mine } = await written();
    const { conversationId: bens } = await written();
    const { conversationId: nobodys } = await written();
    const { conversationId: later } = await written();
    const { conversationId: done } = await written();
    const { conversationId: held } = await written();
    const ai = await aiOf(app, acme);
    await ai.holds(held);
    await ada.post(`/conversations/${mine}/assign`, { agent_id: ada.agentId });
    await ada.post(`/conversations/${bens}/assign`, { agent_id: ben.agentId });
    await ada.post(`/conversations/${later}/snooze`, { until: inFuture(HOUR_MS) });
    await ada.post(`/conversations/${done}/resolve`);
    await app.perform(acme.actor, requestHandoff, { conversationId: nobodys });
    clock.advance(1_000);
    await reply(ben, bens, { type: "note", content: "@Ada please look", mentions: [ada.agentId] });
    await ada.post(`/conversations/${nobodys}/read`);

    const views = {
      open: [bens, nobodys, mine],
      waiting: [bens, nobodys, mine],
      answered: [],
      mine: [mine],
      unassigned: [nobodys],
      mentions: [bens],
      handoff: [nobodys],
      with_ai: [held],
      snoozed: [later],
      resolved: [done],
      all: [bens, held, done, later, nobodys, mine],
    };
    for (const [view, ids] of Object.entries(views)) expect(await ada.list(`view=${view}`), view).toEqual(ids);
    expect(await ben.list("view=mine")).toEqual([bens]);
    expect(await ada.list(`view=open&agent_ids=${ben.agentId}`)).toEqual([bens]);
    expect(await ada.list("view=open&unread=true")).toEqual([bens, mine]);

    const counts = await ada.get("/counts");
    expect(problemsOf(InboxCounts, counts)).toEqual([]);
    expect(counts.views).toEqual({
      open: { count: 3, unread: 2 },
      waiting: { count: 3, unread: 2 },
      answered: { count: 0, unread: 0 },
      mine: { count: 1, unread: 1 },
      unassigned: { count: 1, unread: 0 },
      mentions: { count: 1, unread: 1 },
      handoff: { count: 1, unread: 0 },
      with_ai: { count: 1, unread: 1 },
      snoozed: { count: 1, unread: 1 },
      resolved: { count: 1, unread: 1 },
      all: { count: 6, unread: 5 },
    });
    // Reading is for the team; what names me I have to read myself.
    await ben.post(`/conversations/${bens}/read`);
    expect((await ada.get("/counts")).views.mentions).toEqual({ count: 1, unread: 1 });
    await ada.post(`/conversations/${bens}/read`);
    expect((await ada.get("/counts")).views.mentions).toEqual({ count: 1, unread: 0 });
  });

  test("what the AI holds is in none of the open lists until it hands it over, or an agent takes over", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const { conversationId: handed } = await written();
    const { conversationId: taken } = await written();
    const ai = await aiOf(app, acme);
    await ai.holds(handed);
    await ai.holds(taken);
    for (const order of ["newest", "oldest", "waiting"]) {
      expect((await ada.list(`view=with_ai&order=${order}`)).toSorted()).toEqual([handed, taken].toSorted());
    }
    for (const view of ["open", "waiting", "answered", "unassigned", "handoff"])
      expect(await ada.list(`view=${view}`), view).toEqual([]);

    await ai.says(handed, { content: "A person will be with you.", kind: "handoff" });
    await ai.handsOver(handed, "asked-for-human");
    await ada.post(`/conversations/${taken}/take-over`);
    expect(await ada.list("view=with_ai")).toEqual([]);
    expect(await ada.list("view=handoff")).toEqual([handed]);
    expect((await ada.list("view=waiting")).toSorted()).toEqual([handed, taken].toSorted());
    const { conversation, timeline } = await ada.get(`/conversations/${handed}`);
    // The AI has read nothing for the team.
    expect(conversation).toMatchObject({ speaker: "waiting", unread_messages: 1 });
    expect(timeline.map(({ name, by, values }: TimelineEntry) => [name, by?.name, values])).toEqual([
      ["speaker.changed", undefined, { speaker: "ai" }],
      ["handoff.requested", "Robin", { reason: "asked-for-human" }],
    ]);
  });

  test("a message of the AI is marked, with its kind, its run and its sources", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const { conversationId } = await written();
    const ai = await aiOf(app, acme);
    await ai.holds(conversationId);
    const [runId, article_id] = [randomUUID(), randomUUID()];
    const sources = [
      { title: "Shipping", url: "https://acme.test/shipping", article_id },
      { title: "Returns", url: "javascript:alert(1)" },
    ];
    await ai.says(conversationId, { content: "We do. [1]", runId, sources });
    const thread = await ada.get(`/conversations/${conversationId}/messages`);
    expect(problemsOf(InboxThread, thread)).toEqual([]);
    expect(thread.messages[0]).not.toHaveProperty("by_ai");
    expect(thread.messages[1]).toMatchObject({
      ...{ from: "agent", sent_via: "ai", by_ai: true, agent: { id: ai.agentId, name: "Robin" } },
      ai: { run_id: runId, kind: "answer" },
      sources: [sources[0], { title: "Returns", url: null }],
    });
  });

  test("are narrowed by widget, tag, channel and agent, and by all of them", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const { conversationId: first } = await written();
    const { conversationId: second } = await written();
    const { conversation } = await ada.post(`/conversations/${first}/tag`, { name: "refund" });
    const [tag] = conversation.tags;
    expect(await ada.list(`view=open&tag_ids=${tag.id}`)).toEqual([first]);
    expect(await ada.list(`view=resolved&tag_ids=${tag.id}`)).toEqual([]);
    expect(await ada.list(`view=open&widget_id=${acme.widgetId}&channel=website`)).toEqual([second, first]);
    expect(await ada.list(`view=open&widget_id=${randomUUID()}`)).toEqual([]);
    expect(await ada.list("view=open&channel=email")).toEqual([]);
    expect(await ada.list(`view=all&tag_ids=${tag.id}&agent_ids=${ada.agentId}`)).toEqual([]);
    // One of several tags or agents is enough, and an unknown id is on no conversation.
    const other = (await ada.post(`/conversations/${second}/tag`, { name: "vip" })).conversation.tags[0];
    for (const order of ["newest", "oldest", "waiting"]) {
      const both = await ada.list(`view=open&order=${order}&tag_ids=${tag.id},${other.id}`);
      expect(both.toSorted(), order).toEqual([first, second].toSorted());
    }
    expect(await ada.list(`view=open&tag_ids=${randomUUID()},${tag.id}`)).toEqual([first]);
    expect(await ada.list("view=open&tag_ids=refund")).toEqual([]);
    expect(await ada.list("view=open&widget_id=shop")).toEqual([]);
    await ada.post(`/conversations/${first}/assign`, { agent_id: ada.agentId });
    expect(await ada.list(`view=open&agent_ids=${ada.agentId},${randomUUID()}`)).toEqual([first]);
    expect((await ada.ask("GET", "/conversations?view=none")).status).toBe(422);
    expect((await ada.ask("GET", "/conversations?view=all&before=x")).body.errors).toHaveProperty("before");
  });

  test("a page begins where the one before ended, whatever is written meanwhile", async () => {
    const { ada, written } = await acmeAtWork();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await written()).conversationId);
    const first = await ada.get("/conversations?view=open&limit=2");
    expect(problemsOf(InboxList, first)).toEqual([]);
    expect(first.conversations.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    // The oldest one moves to the top, and there is a new one.
    clock.advance(1_000);
    await reply(ada, ids[4] as string);
    await written();
    const second = await ada.get(`/conversations?view=open&limit=2&before=${encodeURIComponent(first.next)}`);
    expect(second.conversations.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4));
    expect(second.next).toBeNull();
  });

  test("a list goes from the newest activity, or from the oldest, page by page", async () => {
    const { ada, written } = await acmeAtWork();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await written()).conversationId);
      clock.advance(1_000);
    }
    const paged = async (query: string) => {
      const found: string[] = [];
      let next: string | null = null;
      do {
        const before: string = next === null ? "" : `&before=${encodeURIComponent(next)}`;
        const page = await ada.get(`/conversations?limit=2&${query}${before}`);
        found.push(...page.conversations.map(({ id }: { id: string }) => id));
        next = page.next;
      } while (next !== null);
      return found;
    };
    expect(await paged("view=open&order=newest")).toEqual(ids.toReversed());
    expect(await paged("view=open&order=oldest")).toEqual(ids);
    // By way of the few conversations that a condition leaves.
    expect(await paged("view=all&unread=true&order=oldest")).toEqual(ids);
    expect((await ada.ask("GET", "/conversations?view=open&order=loudest")).body.errors).toHaveProperty("order");
  });
});

describe("a conversation", () => {
  test("is answered with its contact, what is known of it, and the contact's other conversations", async () => {
    const { acme, ada, ben, written } = await acmeAtWork();
    const { conversationId, contactId } = await written("Hello", { email: "vera@example.com" });
    await acme.put(`/contacts/${contactId}/custom-data/plan`, { value: "pro" });
    await ben.ask("PUT", `/conversations/${conversationId}/draft`, { mode: "reply", content: "We d" });
    const details = await ada.get(`/conversations/${conversationId}`);
    expect(problemsOf(InboxConversationDetails, details)).toEqual([]);
    expect(details).toMatchObject({
      conversation: { id: conversationId, is_blocked: false },
      contact: { id: contactId, attributes: { email: "vera@example.com", blocked_at: null } },
      custom_data: [{ attributes: { name: "plan", value: "pro" } }],
      earlier_conversations: [],
      same_address_conversations: [],
      drafts: [],
      drafts_of_others: [{ agent: { id: ben.agentId, name: "Ben" }, mode: "reply" }],
    });
    expect(JSON.stringify(details)).not.toContain("We d");
  });

  test("has its timeline: what was done, by which agent and with what, the oldest first", async () => {
    const { acme, ada, ben, written } = await acmeAtWork();
    const { conversationId } = await written("Hello", { email: "vera@example.com" });
    const act = (name: string, body: object = {}) => ada.ask("POST", `/conversations/${conversationId}/${name}`, body);
    await act("assign", { agent_id: ben.agentId });
    await act("tag", { name: "vip" });
    await act("snooze", { until_reply: true });
    await written("Are you there?", { email: "vera@example.com" });
    await act("resolve");
    await acme.post(`/conversations/${conversationId}/resolve`, { status: "open" });
    const details = await ada.get(`/conversations/${conversationId}`);
    expect(problemsOf(InboxConversationDetails, details)).toEqual([]);
    const byAda = { kind: "agent", id: ada.agentId, name: "Ada" };
    const told = details.timeline.map(({ name, by, values }: TimelineEntry) => ({ name, by, values }));
    expect(told.slice(0, 5)).toEqual([
      { name: "agent.assigned", by: byAda, values: { agent_id: ben.agentId, agent: "Ben" } },
      { name: "tag.assigned", by: byAda, values: { tag: "vip" } },
      { name: "conversation.snoozed", by: byAda, values: {} },
      { name: "conversation.unsnoozed", by: { kind: "visitor", id: details.contact.id, name: null }, values: {} },
      { name: "conversation.resolved", by: byAda, values: {} },
    ]);
    expect(told.at(-1)).toMatchObject({ name: "conversation.reopened" });
    const numbers = details.timeline.map(({ number }: TimelineEntry) => number);
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b));
  });

  test("has a thread that is read from its end, backwards and forwards", async () => {
    const { ada, written } = await acmeAtWork();
    const { conversationId } = await written("1");
    for (let count = 2; count <= 7; count += 1) await reply(ada, conversationId, { content: String(count) });
    const thread = async (query: string) => {
      const page = await ada.get(`/conversations/${conversationId}/messages?${query}`);
      expect(problemsOf(InboxThread, page)).toEqual([]);
      return [
        page.messages.map(({ sort_number }: { sort_number: number }) => sort_number),
        page.has_before,
        page.has_after,
      ];
    };
    expect(await thread("limit=3")).toEqual([[5, 6, 7], true, false]);
    expect(await thread("limit=3&before=5")).toEqual([[2, 3, 4], true, true]);
    expect(await thread("limit=3&before=2")).toEqual([[1], false, true]);
    expect(await thread("limit=3&after=2")).toEqual([[3, 4, 5], true, true]);
    expect(await thread("limit=3&after=7")).toEqual([[], true, false]);
    expect(await thread("")).toEqual([[1, 2, 3, 4, 5, 6, 7], false, false]);
  });
});

describe("a contact", () => {
  test("is answered with their conversations, and is blocked and unblocked, which every conversation of theirs shows", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const { conversationId, contactId } = await written("Hello", { email: "vera@example.com" });
    const opened = await ada.get(`/contacts/${contactId}`);
    expect(problemsOf(InboxContact, opened)).toEqual([]);
    expect(opened).toMatchObject({
      contact: { id: contactId },
      conversations: [{ id: conversationId, is_blocked: false }],
    });
    const names = await eventNamesOf(acme, async () => {
      const { contact, conversations } = await ada.post(`/contacts/${contactId}/block`);
      expect(contact.attributes.blocked_at).toBe(new Date(clock.now()).toISOString());
      expect(conversations).toMatchObject([{ is_blocked: true }]);
      await ada.post(`/contacts/${contactId}/block`);
      expect((await ada.post(`/contacts/${contactId}/unblock`)).conversations).toMatchObject([{ is_blocked: false }]);
    });
    expect(names).toEqual(["contact.blocked", "contact.unblocked"]);
    const sam = adasInbox(app, await team());
    for (const path of ["", "/block", "/unblock"]) {
      expect((await sam.ask(path ? "POST" : "GET", `/contacts/${contactId}${path}`)).status).toBe(404);
    }
  });
});

describe("sending", () => {
  test("a message that is sent again is answered with the one that is there", async () => {
    const { acme, ada, ben, written } = await acmeAtWork();
    const { conversationId } = await written();
    const again = { client_id: randomUUID(), content: "We do." };
    const names = await eventNamesOf(acme, async () => {
      const sent = await Promise.all([1, 2, 3].map(() => reply(ada, conversationId, again)));
      expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(sent.map(({ body }) => body.message.id)).size).toBe(1);
      expect(problemsOf(LiveMessage, sent[0]?.body.message)).toEqual([]);
      expect(problemsOf(LiveConversation, sent[0]?.body.conversation)).toEqual([]);
      expect(sent[0]?.body.message).toMatchObject({
        from: "agent",
        client_id: again.client_id,
        agent: { name: "Ada" },
      });
    });
    expect(names).toEqual(["message.sent"]);
    // The id is Ada's, and of this conversation.
    const { status, body } = await reply(ben, conversationId, again);
    expect([status, Object.keys(body.errors)]).toEqual([422, ["client_id"]]);
  });

  test("a reply that a teammate was faster with is held back and shows theirs, until it is sent anyway", async () => {
    const { acme, ada, ben, written } = await acmeAtWork();
    const { conversationId } = await written();
    await reply(ben, conversationId, { content: "Ben was faster." });
    const mine = { client_id: randomUUID(), after_number: 1 };
    const names = await eventNamesOf(acme, async () => {
      const { status, body } = await reply(ada, conversationId, mine);
      expect(status).toBe(409);
      expect(body).toMatchObject({ reply: { content: "Ben was faster.", sort_number: 2, agent: { name: "Ben" } } });
      expect(problemsOf(inboxOperations.sendMessage.responses[201].body.properties.message, body.reply)).toEqual([]);
    });
    expect(names).toEqual([]);
    // A note is no reply, and neither is one's own, the visitor's, or what one has seen.
    expect((await reply(ada, conversationId, { ...mine, client_id: randomUUID(), type: "note" })).status).toBe(201);
    expect((await reply(ada, conversationId, { client_id: randomUUID(), after_number: 2 })).status).toBe(201);
    expect((await reply(ada, conversationId, { ...mine, anyway: true })).status).toBe(201);
    expect((await reply(ada, conversationId, { after_number: 2 })).status).toBe(201);
  });

  test("a reply can resolve in the same commit, and drops its draft; the note's stays", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const { conversationId } = await written();
    for (const mode of ["reply", "note"]) {
      await ada.ask("PUT", `/conversations/${conversationId}/draft`, { mode, content: "We d" });
    }
    const names = await eventNamesOf(acme, async () => {
      const { body } = await reply(ada, conversationId, { resolve: true });
      expect(body.conversation).toMatchObject({ is_resolved: true, unread_messages: 0 });
    });
    expect(names).toEqual(["message.sent", "conversation.resolved"]);
    expect((await ada.get("/drafts")).drafts).toMatchObject([{ conversation_id: conversationId, mode: "note" }]);
  });

  test("a note mentions agents of the team, and a reply mentions none", async () => {
    const { acme, ada, ben, written } = await acmeAtWork();
    const { conversationId } = await written();
    const note = { type: "note", content: "@Ben?", mentions: [ben.agentId] };
    const { body } = await reply(ada, conversationId, note);
    expect(body).toMatchObject({ message: { mentions: [ben.agentId] }, conversation: { mentions: [ben.agentId] } });
    expect(body.conversation.mention_numbers).toEqual({ [ben.agentId]: body.message.sort_number });
    expect((await acme.events()).at(-1)).toMatchObject({
      name: "note.added",
      data: { mentions: [{ id: ben.agentId, name: "Ben" }] },
    });
    const wrong = await reply(ada, conversationId, { ...note, mentions: [ben.agentId, randomUUID()] });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["mentions.1"]]);
    expect((await reply(ada, conversationId, { ...note, type: "message" })).body.message.mentions).toEqual([]);
    const [, , last] = (await ada.get(`/conversations/${conversationId}/messages`)).messages;
    expect(last.mentions).toEqual([]);
  });

  test("nothing to say is refused", async () => {
    const { ada, written } = await acmeAtWork();
    const { conversationId } = await written();
    expect((await reply(ada, conversationId, { content: "" })).status).toBe(422);
  });
});

describe("many at once", () => {
  test("each conversation is changed by itself, and of what fails the reason is said", async () => {
    const { acme, ada, written } = await acmeAtWork();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await written()).conversationId);
    const missing = randomUUID();
    const result = await ada.post("/bulk/resolve", { conversation_ids: [...ids, missing] });
    const failed = [{ id: missing, message: "Conversation not found.", reason: "not-found.conversation" }];
    expect(result).toEqual({ done: ids, failed });
    expect(await ada.list("view=resolved")).toHaveLength(3);
    await ada.post(`/conversations/${ids[0]}/reopen`);
    const snoozed = await ada.post("/bulk/snooze", { conversation_ids: ids, until_reply: true });
    expect(snoozed.done).toEqual([ids[0]]);
    expect(snoozed.failed).toMatchObject([{ id: ids[1], reason: "conversation-resolved" }, { id: ids[2] }]);
    const tagged = await ada.post("/bulk/tag", { conversation_ids: ids, name: "sorted" });
    expect(tagged.done).toEqual(ids);
    expect((await acme.events()).filter(({ name }) => name === "tag.created")).toHaveLength(1);
    expect((await ada.ask("POST", "/bulk/resolve", { conversation_ids: [] })).status).toBe(422);
    expect((await ada.ask("POST", "/bulk/tag", { conversation_ids: ids })).status).toBe(422);
  });
});

describe("what an agent keeps", () => {
  test("drafts are one's own, replace one another, and are dropped", async () => {
    const { ada, ben, written } = await acmeAtWork();
    const { conversationId } = await written();
    const path = `/conversations/${conversationId}/draft`;
    for (const content of ["W", "We", "We d"]) await ada.ask("PUT", path, { mode: "reply", content });
    expect((await ada.get(`/conversations/${conversationId}`)).drafts).toMatchObject([
      { mode: "reply", content: "We d" },
    ]);
    expect((await ben.get("/drafts")).drafts).toEqual([]);
    expect((await ben.ask("DELETE", `${path}?mode=reply`)).status).toBe(200);
    expect((await ada.get("/drafts")).drafts).toHaveLength(1);
    expect((await ada.ask("DELETE", `${path}?mode=reply`)).status).toBe(200);
    expect((await ada.get("/drafts")).drafts).toEqual([]);
  });

  test("a canned reply with a placeholder that does not exist is refused, with those that exist", async () => {
    const { ada } = await acmeAtWork();
    const wrong = { name: "Refund", content: "Hi {{contact.frist_name|you}}" };
    const { status, body } = await ada.ask("POST", "/canned-replies/own", wrong);
    expect(status).toBe(422);
    expect(body.reasons.content).toMatchObject([
      { reason: "unknown-placeholder", values: { placeholder: "{{contact.frist_name|you}}" } },
    ]);
    expect(body.reasons.content[0].values.known).toContain("{{contact.first_name}}");
    const right = { name: "Refund", content: "Hi {{contact.first_name|you}}" };
    const { canned_reply } = await ada.post("/canned-replies/own", right);
    const path = `/canned-replies/own/${canned_reply.id}`;
    expect((await ada.ask("PATCH", path, { content: wrong.content })).status).toBe(422);
    expect((await ada.ask("PATCH", path, { name: "Money back" })).body.canned_reply.content).toBe(right.content);
    // One that was written before this was checked can be renamed all the same.
    await query(storage, `UPDATE canned_replies SET content = '${wrong.content}' WHERE id = '${canned_reply.id}'`);
    const renamed = await ada.ask("PATCH", path, { name: "Returns" });
    expect(renamed.body.canned_reply).toMatchObject({ name: "Returns", content: wrong.content });
  });

  test("canned replies are one's own, and no two have the same name", async () => {
    const { ada, ben } = await acmeAtWork();
    const { canned_reply } = await ada.post("/canned-replies/own", { name: "Refund", content: "Hi {{contact.name}}" });
    expect((await ada.ask("POST", "/canned-replies/own", { name: "REFUND", content: "x" })).status).toBe(422);
    expect((await ben.get("/canned-replies")).canned_replies).toEqual([]);
    await ben.post("/canned-replies/own", { name: "refund", content: "Ben's" });
    const path = `/canned-replies/own/${canned_reply.id}`;
    expect((await ben.ask("PATCH", path, { content: "x" })).status).toBe(404);
    expect((await ben.ask("DELETE", path)).status).toBe(404);
    expect((await ada.ask("PATCH", path, { content: "Hello" })).body.canned_reply).toMatchObject({
      content: "Hello",
      name: "Refund",
    });
    expect((await ada.ask("DELETE", path)).status).toBe(200);
    expect((await ada.ask("DELETE", path)).status).toBe(404);
    expect((await ada.ask("POST", "/canned-replies/theirs", { name: "a", content: "b" })).status).toBe(404);
    // A key is no agent who may write for the team.
    expect((await ada.ask("POST", "/canned-replies/team", { name: "a", content: "b" })).status).toBe(403);
  });

  test("saved views and preferences are one's own, and what is no known preference is refused", async () => {
    const { ada, ben, written } = await acmeAtWork();
    const { saved_view } = await ada.post("/saved-views", { name: "Refunds", query: { view: "open", unread: true } });
    expect((await ada.get("/saved-views")).saved_views).toEqual([{ ...saved_view, count: 0 }]);
    await written();
    expect((await ada.get("/saved-views")).saved_views).toEqual([{ ...saved_view, count: 1 }]);
    expect((await ben.get("/saved-views")).saved_views).toEqual([]);
    expect((await ben.ask("PATCH", `/saved-views/${saved_view.id}`, { name: "Mine" })).status).toBe(404);
    const { body } = await ada.ask("PATCH", `/saved-views/${saved_view.id}`, { name: "Money back" });
    expect(body.saved_view).toEqual({ ...saved_view, name: "Money back" });
    expect((await ada.ask("DELETE", `/saved-views/${saved_view.id}`)).status).toBe(200);
    expect((await ada.get("/saved-views")).saved_views).toEqual([]);

    expect((await ada.get("/preferences")).preferences).toEqual({});
    const liked = { theme: "dark", sound: false, quiet_from: "22:00", quiet_to: "07:00" };
    expect((await ada.ask("PUT", "/preferences", liked)).body.preferences).toEqual(liked);
    expect((await ada.get("/preferences")).preferences).toEqual(liked);
    expect((await ada.ask("PUT", "/preferences", { colour: "red" })).body.errors).toHaveProperty("colour");
    expect((await ada.ask("PUT", "/preferences", { quiet_from: "25:00" })).status).toBe(422);
  });
});

describe("looking for something", () => {
  test("people, conversations and messages are found, each with what was found in it", async () => {
    const { ada, written } = await acmeAtWork();
    const { conversationId: about } = await written("Is the Lisbon shop open?", { name: "Vera" });
    const { conversationId: of } = await written("Hello", { name: "Lisbeth Park", email: "lis@example.com" });
    const found = await ada.get("/search?q=LISB");
    expect(problemsOf(InboxFound, found)).toEqual([]);
    expect(found.people).toMatchObject([{ name: "Lisbeth Park", name_highlights: [{ start: 0, end: 4 }] }]);
    expect(found.conversations).toMatchObject([{ conversation: { id: of }, name_highlights: [{ start: 0, end: 4 }] }]);
    expect(found.messages).toMatchObject([
      { conversation_id: about, excerpt: "Is the Lisbon shop open?", highlights: [{ start: 7, end: 11 }] },
    ]);
    const nothing = { people: [], conversations: [], messages: [], forgiving: false, unknown: [] };
    expect(await ada.get("/search?q=%20")).toEqual(nothing);
    expect(await adasInbox(app, await team()).get("/search?q=lisb")).toEqual(nothing);
  });

  test("of several messages of a conversation that hold it the newest is found, and no line of the system", async () => {
    const { ada, written } = await acmeAtWork();
    const { conversationId } = await written("Is the Lisbon shop open?", { name: "Vera" });
    await reply(ada, conversationId, { content: "Lisbon is" });
    await reply(ada, conversationId, { content: "Until six." });
    await ada.post(`/conversations/${conversationId}/tag`, { name: "lisbon", color: "red" });
    const { messages } = await ada.get("/search?q=lisb");
    expect(messages).toMatchObject([{ conversation_id: conversationId, excerpt: "Lisbon is" }]);
  });

  test("the people and things to choose from are the team's", async () => {
    const { acme, ada, ben, written } = await acmeAtWork();
    await ada.post(`/conversations/${(await written()).conversationId}/tag`, { name: "refund", color: "red" });
    const people = await ada.get("/people");
    expect(problemsOf(InboxPeople, people)).toEqual([]);
    expect(people).toMatchObject({
      me: ada.agentId,
      agents: [{ id: ada.agentId, role: "CHAT_AGENT_OWNER" }, { id: ben.agentId }],
      tags: [{ name: "refund", color: "red" }],
      widgets: [{ id: acme.widgetId }],
    });
  });
});
