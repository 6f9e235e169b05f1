/** POST /conversations: who wrote, and which conversation it joins. */

import { idsOf, invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import {
  adaReplies,
  adaSets,
  contactOf,
  conversationOf,
  eventNamesOf,
  eventsOf,
  veraArrives,
  veraWrites,
} from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { createWidget } from "../widgets/create-widget.ts";
import { conversationById, insertConversation } from "./conversation-store.ts";

const { app, storage, team, clock, runtime } = await startTestApp();
const now = () => new Date(clock.now()).toISOString();

test("the answer is the message with its contact, whose e-mail and phone it carries", async () => {
  const acme = await team();
  const { status, body } = await acme.post("/conversations", {
    widget_id: acme.widgetId,
    content: "Do you ship to Portugal?",
    name: "Vera",
    email: "vera@example.com",
    phone: "+4915112345678",
  });
  expect(status).toBe(200);
  const { id } = body.data.attributes.contact;
  expect(body).toEqual({
    data: {
      type: "messages",
      id: expect.any(String),
      attributes: {
        conversation_id: expect.any(String),
        chat_contact_id: id,
        agent: null,
        contact: { id, name: "Vera", email: "vera@example.com", phone: "+4915112345678" },
        origin: "chat",
        content: "Do you ship to Portugal?",
        type: "message",
        created_at: now(),
      },
    },
  });
  expect(await contactOf(acme, id)).toMatchObject({
    name: "Vera",
    email: "vera@example.com",
    phone: "+4915112345678",
    widget_id: acme.widgetId,
  });
});

test("content stays exactly as it was written", async () => {
  const acme = await team();
  const content = '  <b>Jose\u0301</b> & "quotes" \\ %_ 🙂\r\n\tעברית \u202e ‍ end ';
  const { body } = await acme.post("/conversations", { widget_id: acme.widgetId, content });
  expect(body.data.attributes.content).toBe(content);
  const { conversation_id } = body.data.attributes;
  const listed = await acme.get(`/conversations/${conversation_id}/messages`);
  expect(listed.body.data[0].attributes.content).toBe(content);
});

describe("the contact, first match wins", () => {
  test("with widget_id and content alone every request makes a new contact and a new conversation", async () => {
    const acme = await team();
    const said = { widget_id: acme.widgetId, content: "Hello?" };
    const first = (await acme.post("/conversations", said)).body.data.attributes;
    const second = (await acme.post("/conversations", said)).body.data.attributes;
    expect(first.contact).toEqual({ id: first.chat_contact_id, name: null, email: null, phone: null });
    expect(second.chat_contact_id).not.toBe(first.chat_contact_id);
    expect(second.conversation_id).not.toBe(first.conversation_id);
    expect(idsOf(await acme.get("/contacts"))).toEqual([second.chat_contact_id, first.chat_contact_id]);
  });

  test("contact_id takes priority over an e-mail that another contact has", async () => {
    const acme = await team();
    const vera = await veraArrives(acme);
    const victor = await veraArrives(acme, { name: "Victor", email: "victor@example.com" });
    const written = await veraWrites(acme, { contact_id: vera, email: "victor@example.com" });
    expect(written.contactId).toBe(vera);
    expect(idsOf(await acme.get("/contacts")).sort()).toEqual([vera, victor].sort());
  });

  test("a contact_id is the same in upper and lower case", async () => {
    const acme = await team();
    const vera = await veraArrives(acme);
    expect((await veraWrites(acme, { contact_id: vera.toUpperCase() })).contactId).toBe(vera);
  });

  test("an unknown contact_id gives no error and is never used as the id of the new contact", async () => {
    const [acme, sams] = [await team(), await team()];
    const sam = await veraArrives(sams, { name: "Sam" });
    for (const contact_id of ["", sam, ...NO_IDS]) {
      const { contactId } = await veraWrites(acme, { contact_id });
      expect(contactId).not.toBe(contact_id);
      expect(await contactOf(acme, contactId)).toMatchObject({ name: "Vera", team_id: acme.teamId });
    }
    expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(2 + NO_IDS.length);
  });

  test("a contact of another widget of the same team is not found by its id", async () => {
    const acme = await team();
    const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
    const vera = await veraArrives(acme);
    const { contactId } = await veraWrites(acme, { widget_id: shop.id, contact_id: vera });
    expect(contactId).not.toBe(vera);
    expect(await contactOf(acme, contactId)).toMatchObject({ widget_id: shop.id, widget_name: "Shop" });
  });

  test("the e-mail finds the contact when contact_id was sent but not found", async () => {
    const acme = await team();
    const vera = await veraArrives(acme, { email: "vera@example.com" });
    for (const contact_id of [null, ...NO_IDS]) {
      expect((await veraWrites(acme, { contact_id, email: "vera@example.com" })).contactId).toBe(vera);
    }
  });

  test("an e-mail is the same in upper and lower case", async () => {
    const acme = await team();
    const vera = await veraArrives(acme, { email: "Vera@Example.com" });
    expect((await veraWrites(acme, { email: "vERA@eXAMPLE.COM" })).contactId).toBe(vera);
    expect((await contactOf(acme, vera)).email).toBe("Vera@Example.com");
  });

  test("of several contacts with the e-mail it is the most recently active one", async () => {
    const acme = await team();
    const laptop = await veraArrives(acme, { email: "vera@example.com" });
    clock.advance(1);
    const phone = await veraArrives(acme, { email: "vera@example.com" });
    expect((await veraWrites(acme, { email: "vera@example.com" })).contactId).toBe(phone);
    clock.advance(1);
    await veraWrites(acme, { contact_id: laptop });
    expect((await veraWrites(acme, { email: "vera@example.com" })).contactId).toBe(laptop);
  });

  test("of those active at the same time it is the newest one", async () => {
    const acme = await team();
    await veraArrives(acme, { email: "vera@example.com" });
    const newest = await veraArrives(acme, { email: "vera@example.com" });
    expect((await veraWrites(acme, { email: "vera@example.com" })).contactId).toBe(newest);
  });

  test("an e-mail on another widget, or of another team, finds no contact", async () => {
    const [acme, sams] = [await team(), await team()];
    const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
    const known = [
      await veraArrives(acme, { widgetId: shop.id, email: "vera@example.com" }),
      await veraArrives(sams, { email: "vera@example.com" }),
    ];
    const { contactId } = await veraWrites(acme, { email: "vera@example.com" });
    expect(known).not.toContain(contactId);
    expect(await contactOf(acme, contactId)).toMatchObject({ widget_id: acme.widgetId, email: "vera@example.com" });
  });

  test("contacts without an e-mail are never matched", async () => {
    const acme = await team();
    const nameless = await veraArrives(acme, { name: "" });
    expect((await veraWrites(acme, { name: null, email: null })).contactId).not.toBe(nameless);
  });

  test("an existing contact is never updated from name, email or phone, however it was found", async () => {
    const acme = await team();
    const vera = await veraArrives(acme, { email: "vera@example.com" });
    const before = await contactOf(acme, vera);
    const other = { name: "Verena", phone: "0301234567" };
    for (const how of [
      { contact_id: vera, email: "verena@example.com" },
      { email: "vera@example.com" },
      { contact_id: NO_IDS[0], email: "VERA@example.com" },
    ]) {
      const { body } = await acme.post("/conversations", {
        widget_id: acme.widgetId,
        content: "Hello?",
        ...other,
        ...how,
      });
      expect(body.data.attributes.contact).toEqual({ id: vera, name: "Vera", email: "vera@example.com", phone: null });
    }
    expect(await contactOf(acme, vera)).toEqual(before);
    expect((await acme.events()).map(({ name }) => name)).not.toContain("contact.updated");
  });
});

describe("the conversation", () => {
  test("is the contact's most recent one, and another message starts no second one", async () => {
    const acme = await team();
    const first = await veraWrites(acme);
    const second = await veraWrites(acme, { contact_id: first.contactId, content: "Anybody there?" });
    expect(second).toMatchObject({ conversationId: first.conversationId, contactId: first.contactId });
    const { body } = await acme.get("/conversations/all");
    expect(idsOf({ body })).toEqual([first.conversationId]);
    const messages = await acme.get(`/conversations/${first.conversationId}/messages`);
    expect(idsOf(messages)).toEqual([second.messageId, first.messageId]);
  });

  test("is a new one for a contact without any", async () => {
    const acme = await team();
    const vera = await veraArrives(acme, {
      page_visited: [
        { page: "https://acme.test/", date: "2026-11-20T08:58:00.000Z" },
        { page: "https://acme.test/pricing", date: "2026-11-20T08:59:00.000Z" },
      ],
    });
    const events = await eventsOf(acme, () => veraWrites(acme, { contact_id: vera }));
    expect(events.map(({ name }) => name)).toEqual(["conversation.created", "message.received"]);
    const [conversationId] = idsOf(await acme.get("/conversations/all"));
    expect(events[0]?.data).toEqual({
      conversation: {
        id: conversationId,
        channel: "website",
        status: "open",
        widget_name: "Website",
        identifier: acme.widgetId,
        created_at: now(),
        first_page_url: "https://acme.test/",
      },
      visitor: { id: vera, name: "Vera", email: null, phone: null },
      source: "https://acme.test/",
    });
  });

  test("is reopened when it was resolved: a visitor message reopens a resolved conversation", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    await adaSets(acme, conversationId, "resolved");
    expect((await conversationOf(acme, conversationId)).is_resolved).toBe(true);

    clock.advance(60_000);
    const events = await eventsOf(acme, async () => {
      expect(await veraWrites(acme, { contact_id: contactId, content: "One more thing" })).toMatchObject({
        conversationId,
      });
    });
    expect(await conversationOf(acme, conversationId)).toMatchObject({ is_resolved: false, unread_messages: 2 });
    expect((await acme.get("/conversations/all")).body.meta.pagination.total).toBe(1);
    expect(await stored(acme, conversationId)).toMatchObject({
      is_resolved: 0,
      resolved_at: null,
      resolved_by: null,
      reopened_at: clock.now(),
    });

    expect(events.map(({ name }) => name)).toEqual(["conversation.reopened", "message.received"]);
    for (const { data } of events) expect(data.conversation).toMatchObject({ id: conversationId, status: "open" });
  });

  test("is the most recent one also when it is resolved and an older one is open", async () => {
    const acme = await team();
    const { conversationId: older, contactId } = await veraWrites(acme);
    const row = await stored(acme, older);
    const newer = runtime.newId();
    await storage.write(acme.teamId, (db) =>
      db.run(insertConversation, {
        ...row,
        id: newer,
        is_resolved: 1,
        resolved_at: clock.now(),
        last_message_number: 0,
        last_sort_number: 0,
        message_count: 0,
        unread_messages: 0,
      }),
    );
    // Both have the same last activity, so the newer id is the more recent one.
    expect((await veraWrites(acme, { contact_id: contactId })).conversationId).toBe(newer);
    expect((await stored(acme, newer)).is_resolved).toBe(0);
    expect((await stored(acme, older)).message_count).toBe(1);
    clock.advance(1);
    await adaReplies(acme, older);
    expect((await veraWrites(acme, { contact_id: contactId })).conversationId).toBe(older);
  });

  test("counts the visitor's messages as unread ones", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    for (const unread_messages of [1, 2, 3]) {
      expect(await conversationOf(acme, conversationId)).toMatchObject({ unread_messages });
      await veraWrites(acme, { contact_id: contactId });
    }
  });
});

test("a first message records contact.created, conversation.created and message.received, a further one only the last", async () => {
  const acme = await team();
  expect(await eventNamesOf(acme, () => veraWrites(acme, { email: "vera@example.com" }))).toEqual([
    "contact.created",
    "conversation.created",
    "message.received",
  ]);
  expect(await eventNamesOf(acme, () => veraWrites(acme, { email: "vera@example.com" }))).toEqual(["message.received"]);
});

test("message.received carries the message, the conversation and the visitor", async () => {
  const acme = await team();
  const { messageId, conversationId, contactId } = await veraWrites(acme, { name: "", phone: "+4915112345678" });
  expect((await acme.events()).at(-1)).toMatchObject({
    name: "message.received",
    conversation_id: conversationId,
    contact_id: contactId,
    occurred_at: clock.now(),
    data: {
      message: { id: messageId, content: "Do you ship to Portugal?", attachments: [], created_at: now() },
      conversation: {
        id: conversationId,
        channel: "website",
        status: "open",
        widget_name: "Website",
        identifier: acme.widgetId,
      },
      visitor: { id: contactId, email: null, phone: "+4915112345678" },
    },
  });
  expect((await acme.events()).at(-1)?.data.visitor).not.toHaveProperty("name");
});

test("a widget that does not exist, is another team's, or no id at all gives 404, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  for (const widget_id of [sams.widgetId, "", ...NO_IDS]) {
    const { status, body } = await acme.post("/conversations", { widget_id, content: "Hello?" });
    expect(status).toBe(404);
    expect(body).toEqual(refused("Widget not found."));
  }
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(0);
});

test.each(["1234567", "+1234567", "123456789012345", "+123456789012345"])(
  "a phone has 7 to 15 digits with an optional leading +: %s",
  async (phone) => {
    const acme = await team();
    expect(await contactOf(acme, (await veraWrites(acme, { phone })).contactId)).toMatchObject({ phone });
  },
);

test.each<[string, object, string[]]>([
  ["no content", { content: undefined }, ["content"]],
  ["an empty content", { content: "" }, ["content"]],
  ["content null", { content: null }, ["content"]],
  ["content of another type", { content: 5 }, ["content"]],
  ["10,001 characters", { content: "c".repeat(10_001) }, ["content"]],
  ["no widget_id", { widget_id: undefined }, ["widget_id"]],
  ["widget_id null", { widget_id: null }, ["widget_id"]],
  ["a malformed e-mail", { email: "vera" }, ["email"]],
  ["an empty e-mail", { email: "" }, ["email"]],
  ["6 digits", { phone: "123456" }, ["phone"]],
  ["16 digits", { phone: "1234567890123456" }, ["phone"]],
  ["16 digits after a +", { phone: "+1234567890123456" }, ["phone"]],
  ["spaces in a phone", { phone: "0151 1234567" }, ["phone"]],
  ["dashes in a phone", { phone: "0151-1234567" }, ["phone"]],
  ["brackets in a phone", { phone: "(0151)1234567" }, ["phone"]],
  ["a + within a phone", { phone: "0151+1234567" }, ["phone"]],
  ["digits of another script", { phone: "١٢٣٤٥٦٧" }, ["phone"]],
  ["a name of another type", { name: ["Vera"] }, ["name"]],
  ["a contact_id of another type", { contact_id: 7 }, ["contact_id"]],
  ["several at once", { content: "", email: "vera", phone: "1" }, ["content", "email", "phone"]],
])(
  "%s gives 422 with the field named; so beside a known contact_id, where it would be ignored",
  async (_what, fields, named) => {
    const acme = await team();
    const vera = await veraArrives(acme);
    for (const contact_id of [undefined, vera]) {
      const said = { widget_id: acme.widgetId, content: "Hello?", contact_id, ...fields };
      const { status, body } = await acme.post("/conversations", said);
      expect(status).toBe(422);
      expect(body).toEqual(invalid(...named));
    }
    expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(1);
    expect((await acme.get("/conversations/all")).body.meta.pagination.total).toBe(0);
  },
);

test("1 and 10,000 characters are taken, and every optional field may be null", async () => {
  const acme = await team();
  for (const content of [".", "🙂".repeat(10_000)]) {
    await veraWrites(acme, { content, contact_id: null, name: null, email: null, phone: null });
  }
});

/** The conversation's row. */
async function stored(acme: TestTeam, id: string) {
  const row = await storage.read((db) => db.first(conversationById, { team_id: acme.teamId, id }));
  if (!row) throw new Error("There is no such conversation.");
  return row;
}
