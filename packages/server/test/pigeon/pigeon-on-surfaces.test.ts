/**
 * A second channel goes through every surface, and no surface has a line about it (docs/decisions/0040-channel-accounts.md):
 * REST, tools, the live stream, the inbox, webhooks, search, and mail to visitors.
 */
import { randomUUID } from "node:crypto";
import { deliverySchema } from "@frontdesk/core/contract";
import { InboxContact, InboxConversationDetails } from "@frontdesk/core/contract/inbox";
import { LiveMessage } from "@frontdesk/core/contract/live";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { adasInbox, type InboxClient } from "@frontdesk/testing/inbox-client";
import { type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { type Loft, openLoft, PIGEON_CHANNEL } from "@frontdesk/testing/pigeon";
import { idsOf } from "@frontdesk/testing/rest-answers";
import { query } from "@frontdesk/testing/second-app";
import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { startAppWithReceivers, subscribe } from "@frontdesk/testing/subscriber";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { connect, type ToolCaller } from "@frontdesk/testing/tool-caller";
import { adaReplies, adaSets, conversationOf, veraWrites, type Written } from "@frontdesk/testing/vera";
import { beforeAll, describe, expect, test } from "vitest";
import { sendMessage } from "../../src/conversations/send-message.ts";
import { createPerform } from "../../src/perform.ts";
import { createWidget } from "../../src/widgets/create-widget.ts";

const kit = await startAppWithReceivers({ TOOL_RATE_LIMIT: "100000", VISITOR_BOUNDS_FACTOR: "100" });
const { app, storage, runtime, team, receiver } = kit;
const origin = await app.start();
const EMAIL = "petra@visitor.test";

/** Acme has a loft, a letter of Petra's, and Vera on its website. */
let acme: TestTeam;
let loft: Loft;
let petra: Written;
let vera: Written;

beforeAll(async () => {
  acme = await team();
  loft = await openLoft(kit, acme);
  const details = { name: "Petra", email: EMAIL, phone: "+4930171171" };
  petra = await loft.letter({ ring: "PL-0171", content: "Do you take letters from Hoboken?", details });
  vera = await veraWrites(acme, { name: "Vera", email: "vera@visitor.test" });
});

/** Links the sender of this pigeon to a contact of the website: no operation does that yet. */
const alsoKnownAs = (ring: string, contactId: string) =>
  query(
    storage,
    `INSERT INTO contact_identities (team_id, account_id, kind, value, contact_id)
      VALUES ('${acme.teamId}', '${loft.accountId}', 'ring', '${ring}', '${contactId}')`,
  );

describe("the REST API", () => {
  test("lists the conversation, its messages and the contact, and finds the contact", async () => {
    const all = await acme.get("/conversations/all?include_fields=contact_name,latest_message");
    expect(idsOf(all).toSorted()).toEqual([petra.conversationId, vera.conversationId].toSorted());
    expect(all.body.meta.pagination.total).toBe(2);
    const listed = all.body.data.find(({ id }: { id: string }) => id === petra.conversationId).attributes;
    expect(listed).toMatchObject({ contact_name: "Petra", latest_message: { origin: "messenger" } });

    const messages = await acme.get(`/conversations/${petra.conversationId}/messages`);
    expect(messages.body.data[0].attributes).toMatchObject({
      content: "Do you take letters from Hoboken?",
      origin: "messenger",
      type: "message",
    });

    expect(idsOf(await acme.get("/contacts")).toSorted()).toEqual([petra.contactId, vera.contactId].toSorted());
    expect(idsOf(await acme.get(`/contacts?search=${encodeURIComponent(EMAIL)}`))).toEqual([petra.contactId]);
    const { body } = await acme.get(`/contacts/${petra.contactId}`);
    expect(body.data.attributes).toMatchObject({
      ...{ widget_id: acme.widgetId, widget_name: "Website", page_visited: [], online_status: "offline" },
      ...{ ip: null, browser_type: null, timezone: null, verified_id: null },
    });
  });

  test("replies, resolves, tags, assigns and reads it as any other", async () => {
    const { conversationId } = await loft.letter({ ring: "PL-0002" });
    await adaReplies(acme, conversationId);
    expect(await conversationOf(acme, conversationId)).toMatchObject({ unread_messages: 0 });
    const path = `/conversations/${conversationId}`;
    expect((await acme.post(`${path}/tags`, { name: "Letter" })).status).toBeLessThan(300);
    expect((await acme.post(`${path}/assignments`, { agent_id: acme.ada.id })).status).toBeLessThan(300);
    await adaSets(acme, conversationId, "resolved");
    expect((await acme.post(`${path}/unread`)).status).toBe(200);
    expect((await acme.post(`${path}/read`, {})).status).toBe(200);
    expect(await conversationOf(acme, conversationId)).toMatchObject({ is_resolved: true });
    await adaSets(acme, conversationId, "open");
  });
});

describe("webhooks", () => {
  test("describe it with its channel and without a widget, as the contract has it", async () => {
    const there = await receiver();
    const events = ["message.received", "message.sent", "conversation.created", "conversation.resolved"];
    await subscribe(acme, there.url(), { events });
    const { conversationId } = await loft.letter({ ring: "PL-0003" });
    await adaReplies(acme, conversationId);
    await adaSets(acme, conversationId, "resolved");
    await expect.poll(() => there.received.length).toBe(4);
    const bodies = there.received.map(({ body }) => JSON.parse(body.toString()));
    for (const body of bodies) {
      expect(problemsOf(closed(deliverySchema(body.event)), body), body.event).toEqual([]);
      const status = body.event === "conversation.resolved" ? "resolved" : "open";
      const told = { id: conversationId, channel: "messenger", status };
      expect(body.data.conversation).toMatchObject(told);
      expect(Object.keys(body.data.conversation)).not.toContain("widget_name");
      expect(Object.keys(body.data.conversation)).not.toContain("identifier");
    }
    const created = bodies.find(({ event }) => event === "conversation.created");
    expect(created.data.source).toBe("messenger");
  });
});

describe("assistants", () => {
  let byWidget: ToolCaller;
  let byChannel: ToolCaller;
  let byOtherChannel: ToolCaller;
  let byEverything: ToolCaller;

  beforeAll(async () => {
    byWidget = await connect(app, acme, { widgets: "all", channels: [] });
    byChannel = await connect(app, acme, { widgets: [], channels: [PIGEON_CHANNEL] });
    byOtherChannel = await connect(app, acme, { widgets: [], channels: ["email"] });
    byEverything = await connect(app, acme);
  });

  const conversationsOf = async (caller: ToolCaller) =>
    (await caller.result("list-conversations", { status: "all", per_page: 50 })).conversations.map(
      ({ id }: { id: string }) => id,
    );
  const found = async (caller: ToolCaller, words: string): Promise<string[]> =>
    (await caller.result("search-contacts", { query: words, limit: 50 })).contacts.map(({ id }: { id: string }) => id);
  /** Which of the two is visible: as a visitor, in a search by a long and by a short text, and by their conversation. */
  async function sees(caller: ToolCaller, { contactId, conversationId }: Written) {
    const statuses = [
      (await caller.call("get-visitor", { visitor_id: contactId })).status,
      (await caller.call("get-conversation", { conversation_id: conversationId })).status,
    ];
    const long = await found(caller, "visitor.test");
    const short = await found(caller, "e");
    return [
      ...statuses.map((status) => status === 200),
      long.includes(contactId),
      short.includes(contactId),
      (await conversationsOf(caller)).includes(conversationId),
    ];
  }
  const ALL = [true, true, true, true, true];
  const NOTHING = [false, false, false, false, false];

  test("with the widget's grant see visitors of the website, and no visitor of another channel", async () => {
    expect(await sees(byWidget, vera)).toEqual(ALL);
    expect(await sees(byWidget, petra)).toEqual(NOTHING);
  });

  test("with the channel's grant see its conversations and contacts, and nothing of the website", async () => {
    expect(await sees(byChannel, petra)).toEqual(ALL);
    expect(await sees(byChannel, vera)).toEqual(NOTHING);
  });

  test("with another channel's grant see neither, and with all grants both", async () => {
    for (const written of [petra, vera]) {
      expect(await sees(byOtherChannel, written)).toEqual(NOTHING);
      expect(await sees(byEverything, written)).toEqual(ALL);
    }
  });

  test("see a contact who is known in both by either grant, and of the conversations those of the grant", async () => {
    const both = await veraWrites(acme, { name: "Beth", email: "beth@visitor.test" });
    await alsoKnownAs("PL-0004", both.contactId);
    const letter = await loft.letter({ ring: "PL-0004" });
    expect(letter.contactId).toBe(both.contactId);
    expect(await sees(byWidget, both)).toEqual(ALL);
    expect(await sees(byChannel, letter)).toEqual(ALL);
    expect(await sees(byOtherChannel, both)).toEqual(NOTHING);
    expect(await conversationsOf(byWidget)).not.toContain(letter.conversationId);
    expect(await conversationsOf(byChannel)).not.toContain(both.conversationId);
  });

  test("get pages that are full and say correctly whether more follows, whatever is hidden", async () => {
    const page = await byWidget.result("list-conversations", { status: "all", per_page: 50 });
    const seen = page.conversations.length;
    const exact = await byWidget.result("list-conversations", { status: "all", per_page: seen });
    expect(exact.pagination.has_more).toBe(false);
    const limited = await byChannel.result("search-contacts", { query: "visitor.test", limit: 1 });
    expect(limited.contacts.map(({ id }: { id: string }) => id)).toHaveLength(1);
  });

  test("read and answer it without a widget; notes and data are kept, and messages are found", async () => {
    const { conversation } = await byChannel.result("get-conversation", { conversation_id: petra.conversationId });
    expect(conversation).toMatchObject({ widget_id: null, origin: "messenger", origin_url: null });
    const search = await byChannel.result("search-conversations", { query: "Hoboken" });
    expect(search.conversations).toMatchObject([{ id: petra.conversationId, origin: "messenger" }]);
    expect(await byWidget.result("search-conversations", { query: "Hoboken" })).toEqual({ conversations: [] });

    const { conversationId, contactId } = await loft.letter({ ring: "PL-0005" });
    const about = { conversation_id: conversationId };
    await byChannel.result("send-message", { ...about, content: "We do take letters." });
    await byChannel.result("add-note", { ...about, content: "Comes by air." });
    await byChannel.result("add-custom-data", { visitor_id: contactId, name: "plan", value: "Seeds" });
    const { messages } = await byChannel.result("list-conversation-messages", about);
    expect(messages.map(({ origin }: { origin: string }) => origin)).toEqual(["messenger", "messenger"]);
  });
});

describe("the inbox", () => {
  let inbox: InboxClient;
  beforeAll(() => {
    inbox = adasInbox(app, acme);
  });

  test("lists it, by its channel and by its home widget, and counts it", async () => {
    expect(await inbox.list("view=open")).toContain(petra.conversationId);
    expect(await inbox.list(`view=open&channel=${PIGEON_CHANNEL}`)).toContain(petra.conversationId);
    expect(await inbox.list(`view=open&channel=${PIGEON_CHANNEL}`)).not.toContain(vera.conversationId);
    expect(await inbox.list("view=open&channel=website")).not.toContain(petra.conversationId);
    expect(await inbox.list(`view=open&widget_id=${acme.widgetId}`)).toContain(petra.conversationId);
    expect((await inbox.get("/counts")).views.open.count).toBe((await inbox.list("view=open")).length);
  });

  test("opens it with its contact, who has visited no page", async () => {
    const opened = await inbox.get(`/conversations/${petra.conversationId}`);
    expect(problemsOf(InboxConversationDetails, opened)).toEqual([]);
    expect(opened.conversation).toMatchObject({ channel: "messenger", contact: { id: petra.contactId } });
    expect(opened.contact.attributes).toMatchObject({ email: EMAIL, page_visited: [] });
    const contact = await inbox.get(`/contacts/${petra.contactId}`);
    expect(problemsOf(InboxContact, contact)).toEqual([]);
    expect(contact.conversations).toMatchObject([{ id: petra.conversationId, widget_id: acme.widgetId }]);
  });

  test("replies, notes, assigns, tags, snoozes and resolves, each as an agent does", async () => {
    const { conversationId } = await loft.letter({ ring: "PL-0006" });
    const path = `/conversations/${conversationId}`;
    const write = (type: string) => ({ client_id: randomUUID(), type, content: "We take letters." });
    const { message } = await inbox.post(`${path}/messages`, write("message"));
    expect(problemsOf(LiveMessage, message)).toEqual([]);
    expect(message.sent_via).toBe("api");
    await inbox.post(`${path}/messages`, write("note"));
    await inbox.post(`${path}/assign`, { agent_id: inbox.agentId });
    await inbox.post(`${path}/tag`, { name: "Letter" });
    await inbox.post(`${path}/snooze`, { until_reply: true });
    await inbox.post(`${path}/resolve`);
    const thread = await inbox.get(`${path}/messages`);
    for (const one of thread.messages) expect(problemsOf(LiveMessage, one)).toEqual([]);
    expect(thread.messages.map(({ type, sent_via }: Record<string, string>) => [type, sent_via])).toEqual([
      ["message", "channel"],
      ["message", "api"],
      ["note", "api"],
    ]);
  });

  test("finds it by what was written and by the name of the writer", async () => {
    const byText = await inbox.get("/search?q=Hoboken");
    expect(JSON.stringify(byText)).toContain(petra.conversationId);
    const byEmail = await inbox.get(`/search?q=${encodeURIComponent(EMAIL)}`);
    expect(JSON.stringify(byEmail)).toContain(petra.contactId);
  });
});

describe("the live stream", () => {
  test("shows it to agents, and never to a visitor: not live, not in a replay, not by typing, not in the chat", async () => {
    const secret = await newIdentitySecret(acme);
    const exp = Math.floor(runtime.now() / 1000) + 3600;
    const identity = signedToken(secret, { sub: "PL-0007", email: EMAIL, exp });
    const visitor = browser(app, acme);
    // The same address, and for the owner's own server the same name: still another contact.
    const { body } = await visitor.write("I am on the website.", { identity });
    const contactId: string = body.contact.id;
    expect(contactId).not.toBe(petra.contactId);
    await alsoKnownAs("PL-0007", contactId);
    const hello = { widget_id: acme.widgetId, token: visitor.token };
    const streams = [{ token: acme.apiKey }, { token: acme.apiKey }, hello].map((one) => listen(origin, one));
    const [agent, colleague, open] = (await Promise.all(streams)) as [LiveSocket, LiveSocket, LiveSocket];
    const [, , { number, epoch }] = await Promise.all([agent, colleague, open].map((one) => one.heard("ready")));

    const letter = await loft.letter({ ring: "PL-0007", content: "I am on the roof." });
    expect(letter.contactId).toBe(contactId);
    await adaReplies(acme, letter.conversationId, { content: "Come down." });
    await adaSets(acme, letter.conversationId, "resolved");
    agent.send({ type: "typing", conversation_id: letter.conversationId, typing: true });
    expect(await colleague.heard("typing")).toMatchObject({ conversation_id: letter.conversationId });
    // An event that both get comes last.
    await visitor.say("And here I am again.");
    const isHere = ({ message }: { message?: { content: string } }) => message?.content === "And here I am again.";
    for (const stream of [agent, open]) await expect.poll(() => stream.events().some(isHere)).toBe(true);

    const numbers = (await acme.events())
      .filter(({ conversation_id }) => conversation_id === letter.conversationId)
      .map(({ number }) => number);
    const ofLetter = agent.events().filter((frame) => numbers.includes(frame.number));
    expect(ofLetter.map(({ name }) => name)).toEqual([
      "conversation.created",
      "message.received",
      "message.sent",
      "conversation.resolved",
    ]);
    expect(ofLetter[1]).toMatchObject({ message: { sent_via: "channel" } });
    expect(ofLetter.at(-1)).toMatchObject({ conversation: { channel: "messenger" } });
    expect(JSON.stringify(open.frames)).not.toContain(letter.conversationId);
    const back = await listen(origin, { ...hello, since: number, epoch });
    await back.heard("ready");
    expect(back.events().filter(isHere)).toHaveLength(1);
    expect(JSON.stringify(back.frames)).not.toContain(letter.conversationId);

    const chat = (await visitor.chat()).body;
    expect(chat.messages.map(({ content }: { content: string }) => content)).toEqual([
      "And here I am again.",
      "I am on the website.",
    ]);
    expect((await visitor.seen(letter.conversationId, 1)).status).toBe(404);
    const rating = { conversation_id: letter.conversationId, rating: 5 };
    expect((await visitor.ask("POST", "/rating", rating)).status).toBe(404);
    // Nor does the visitor's next message join it.
    expect((await visitor.say("Still here.")).body.message.conversation_id).not.toBe(letter.conversationId);
    for (const stream of [agent, colleague, open, back]) stream.leave();
  });
});

test("replies to other channels are never mailed by us, also where the contact has chatted on the website", async () => {
  const mailing = createPerform(storage, { ...runtime, sendsMail: true });
  const timersOf = (conversationId: string) =>
    query(storage, `SELECT kind FROM timers WHERE subject_id = '${conversationId}' AND kind = 'mail-replies'`);
  const reply = (conversationId: string) =>
    mailing(acme.actor, sendMessage, {
      ...{ conversationId, type: "message", content: "We do.", agentId: acme.ada.id, attachments: [] },
    });
  await alsoKnownAs("PL-0008", vera.contactId);
  for (const ring of ["PL-0171", "PL-0008"]) {
    const letter = await loft.letter({ ring });
    await reply(letter.conversationId);
    expect(await timersOf(letter.conversationId)).toEqual([]);
  }
  await reply(vera.conversationId);
  expect(await timersOf(vera.conversationId)).toHaveLength(1);
});

test("a loft belongs to the brand of its home widget", async () => {
  const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
  const other = await openLoft(kit, acme, { homeWidgetId: shop.id });
  const { contactId } = await other.letter({ ring: "PL-0009" });
  const { body } = await acme.get(`/contacts/${contactId}`);
  expect(body.data.attributes).toMatchObject({ widget_id: shop.id, widget_name: "Shop" });
});
