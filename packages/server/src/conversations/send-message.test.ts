/** POST /messages: an agent replies, or writes a note. */

import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import {
  adaReplies,
  adaSets,
  conversationOf,
  eventNamesOf,
  eventsOf,
  veraArrives,
  veraWrites,
} from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { createAgent } from "../agents/create-agent.ts";

const { app, storage, team, clock, request } = await startTestApp();
const now = () => new Date(clock.now()).toISOString();

test("a reply through POST /messages answers 201 with the message, its agent and its contact", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme);
  const answer = await acme.post("/messages", { conversation_id: conversationId, content: "Hello Vera" });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    data: {
      type: "messages",
      id: expect.any(String),
      attributes: {
        conversation_id: conversationId,
        contact_id: contactId,
        agent: { id: acme.ada.id, name: "Ada" },
        contact: { id: contactId, name: "Vera" },
        origin: "chat",
        content: "Hello Vera",
        type: "message",
        created_at: now(),
      },
    },
  });
});

test("message.sent carries the message, the conversation, the visitor and always the agent", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme, { email: "vera@example.com" });
  let messageId = "";
  const [event, ...others] = await eventsOf(acme, async () => {
    messageId = await adaReplies(acme, conversationId);
  });
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "message.sent", conversation_id: conversationId, contact_id: contactId });
  expect(event?.data).toEqual({
    message: { id: messageId, content: "We do, Vera.", attachments: [], created_at: now() },
    conversation: {
      id: conversationId,
      channel: "website",
      status: "open",
      widget_name: "Website",
      identifier: acme.widgetId,
    },
    visitor: { id: contactId, name: "Vera", email: "vera@example.com", phone: null },
    agent: { id: acme.ada.id, name: "Ada" },
  });
});

test("a program that answers message.received needs nothing but its data.conversation.id", async () => {
  const acme = await team();
  await veraWrites(acme);
  const received = (await acme.events()).filter(({ name }) => name === "message.received");
  const [conversation] = received.map(({ data }) => data.conversation as { id: string });
  const { status, body } = await acme.post("/messages", { conversation_id: conversation?.id, content: "We do, Vera." });
  expect(status).toBe(201);
  expect(body.data.attributes.contact).toMatchObject({ name: "Vera" });
});

describe("type", () => {
  test.each([undefined, null, "message"])("%s makes a message that the visitor sees", async (type) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const { body } = await acme.post("/messages", { conversation_id: conversationId, content: "Hello", type });
    expect(body.data.attributes.type).toBe("message");
  });

  test("note makes an internal note: no message.sent, and the conversation stays unread", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const said = { conversation_id: conversationId, content: "She asked twice.", type: "note" };
    const events = await eventNamesOf(acme, async () => {
      const { status, body } = await acme.post("/messages", said);
      expect(status).toBe(201);
      expect(body.data.attributes).toMatchObject({ type: "note", agent: { id: acme.ada.id, name: "Ada" } });
    });
    expect(events).toEqual(["note.added"]);
    expect((await conversationOf(acme, conversationId)).unread_messages).toBe(1);
  });

  test.each(["system", "reminder", "", "Note", 1])("%j gives 422", async (type) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const { status, body } = await acme.post("/messages", { conversation_id: conversationId, content: "Hello", type });
    expect(status).toBe(422);
    expect(body).toEqual(invalid("type"));
  });
});

describe("unread_messages", () => {
  test("a reply sets it to 0, and the visitor's next message to 1", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    await veraWrites(acme, { contact_id: contactId });
    await adaReplies(acme, conversationId);
    expect((await conversationOf(acme, conversationId)).unread_messages).toBe(0);
    await veraWrites(acme, { contact_id: contactId });
    expect((await conversationOf(acme, conversationId)).unread_messages).toBe(1);
  });
});

test("a reply to a resolved conversation is taken and does not reopen it", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  await adaSets(acme, conversationId, "resolved");
  const [event, ...others] = await eventsOf(acme, () => adaReplies(acme, conversationId));
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "message.sent", data: { conversation: { status: "resolved" } } });
  expect(await conversationOf(acme, conversationId)).toMatchObject({ is_resolved: true, unread_messages: 0 });
});

describe("agent_id", () => {
  test("names the agent who replies, active or invited", async () => {
    const acme = await team();
    const grace = await addGrace(acme);
    await acme.post("/agents/invite", { agents: ["lin@acme.test"] });
    const [lin] = (await acme.get("/agents?email=lin@acme.test")).body.data;
    const { conversationId } = await veraWrites(acme);
    for (const [agent_id, agent] of [
      [grace.id, { id: grace.id, name: "Grace" }],
      [grace.id.toUpperCase(), { id: grace.id, name: "Grace" }],
      [lin.id, { id: lin.id, name: null }],
    ]) {
      const said = { conversation_id: conversationId, content: "Hello", agent_id };
      expect((await acme.post("/messages", said)).body.data.attributes.agent).toEqual(agent);
    }
    expect((await acme.events()).at(-1)?.data.agent).toEqual({ id: lin.id, name: "lin@acme.test" });
  });

  test.each([undefined, null])("left out (%s), it is the agent who made the API key", async (agent_id) => {
    const acme = await team();
    const grace = await addGrace(acme);
    const { value } = await app.perform(acme.actor, createApiKey, { name: "Grace's", agentId: grace.id });
    const { conversationId } = await veraWrites(acme);
    const answer = await request("POST", "/messages", {
      headers: { "x-api-key": value },
      body: { conversation_id: conversationId, content: "Hello", agent_id },
    });
    expect(answer.body.data.attributes.agent).toEqual({ id: grace.id, name: "Grace" });
    expect((await acme.events()).at(-1)?.data.agent).toEqual({ id: grace.id, name: "Grace" });
  });

  test("unknown, deactivated, another team's or no id at all gives 422 on agent_id, and nothing is sent", async () => {
    const [acme, sams] = [await team(), await team()];
    const grace = await addGrace(acme);
    await deactivate(storage, acme.teamId, grace.id);
    const { conversationId, messageId } = await veraWrites(acme);
    for (const agent_id of [grace.id, sams.ada.id, "", 7, ...NO_IDS]) {
      for (const type of ["message", "note"]) {
        const said = { conversation_id: conversationId, content: "Hello", type, agent_id };
        const { status, body } = await acme.post("/messages", said);
        expect(status).toBe(422);
        expect(body).toEqual(invalid("agent_id"));
      }
    }
    const { body } = await acme.get(`/conversations/${conversationId}/messages`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([messageId]);
  });
});

describe("attachments", () => {
  const url = "https://files.acme.test/invoice.pdf";
  const longUrl = (length: number) => `${url}?`.padEnd(length, "q");

  test("stand in the event with url as content and name as original_file_name, in their order", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const attachments = [
      { url, name: "Invoice.pdf", type: "file", mime: "application/pdf", size: 48_211 },
      { url: "http://files.acme.test/a.png", name: null, type: null, mime: null, size: null },
      { url: "HTTPS://files.acme.test/b", size: 0, width: 640 },
    ];
    const [event] = await eventsOf(acme, () => adaReplies(acme, conversationId, { attachments }));
    expect(event?.data.message).toEqual({
      id: expect.any(String),
      content: "We do, Vera.",
      attachments: [
        { content: url, type: "file", mime: "application/pdf", original_file_name: "Invoice.pdf", size: 48_211 },
        { content: "http://files.acme.test/a.png", size: null },
        { content: "HTTPS://files.acme.test/b", size: 0 },
      ],
      created_at: now(),
    });
  });

  test.each([undefined, null, ""])("are enough without content (%j); the event then has none", async (content) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const said = { conversation_id: conversationId, content, attachments: [{ url }] };
    const [event] = await eventsOf(acme, async () => {
      const { status, body } = await acme.post("/messages", said);
      expect(status).toBe(201);
      expect(body.data.attributes.content).toBe("");
    });
    expect(event?.data.message).toEqual({
      id: expect.any(String),
      attachments: [{ content: url, size: null }],
      created_at: now(),
    });
  });

  test("9 are taken, and a url of 2048 characters", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const attachments = Array.from({ length: 9 }, () => ({ url: longUrl(2048) }));
    const [event] = await eventsOf(acme, () => adaReplies(acme, conversationId, { attachments }));
    expect(event?.data.message).toMatchObject({ attachments: attachments.map(({ url: content }) => ({ content })) });
  });

  test.each<[string, unknown, string]>([
    ["10 of them", Array(10).fill({ url }), "attachments"],
    ["one without a url", [{ url }, { name: "a" }], "attachments.1.url"],
    ["a url of 2049 characters", [{ url: longUrl(2049) }], "attachments.0.url"],
    ["a url that is neither http nor https", [{ url: "ftp://files.acme.test/a" }], "attachments.0.url"],
    ["a script as url", [{ url: "javascript:alert(1)" }], "attachments.0.url"],
    ["a url null", [{ url: null }], "attachments.0.url"],
    ["a text for an item", [url], "attachments.0"],
    ["a single object", { url }, "attachments"],
    ["a size below 0", [{ url, size: -1 }], "attachments.0.size"],
    ["a size as text", [{ url, size: "1" }], "attachments.0.size"],
    ["a name of another type", [{ url, name: 1 }], "attachments.0.name"],
  ])("%s gives 422 with the field named", async (_what, attachments, field) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const { status, body } = await acme.post("/messages", { conversation_id: conversationId, attachments });
    expect(status).toBe(422);
    expect(body).toEqual(invalid(field));
  });
});

describe("content", () => {
  test("of 1 and of 10,000 characters is taken and answered as it is", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    for (const content of [".", " \n ", "🙂".repeat(10_000)]) {
      const { status, body } = await acme.post("/messages", { conversation_id: conversationId, content });
      expect(status).toBe(201);
      expect(body.data.attributes.content).toBe(content);
    }
  });

  test.each<[string, object]>([
    ["nothing at all", {}],
    ["null and no attachments", { content: null, attachments: null }],
    ["an empty text and no attachments", { content: "", attachments: [] }],
    ["an empty note", { content: "", type: "note" }],
    ["10,001 characters", { content: "c".repeat(10_001) }],
    ["10,001 characters beside attachments", { content: "c".repeat(10_001), attachments: [] }],
    ["another type", { content: 5 }],
  ])("%s gives 422 on content, and nothing is sent", async (_what, said) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const events = await eventNamesOf(acme, async () => {
      const { status, body } = await acme.post("/messages", { conversation_id: conversationId, ...said });
      expect(status).toBe(422);
      expect(body).toEqual(invalid("content"));
    });
    expect(events).toEqual([]);
    expect((await conversationOf(acme, conversationId)).unread_messages).toBe(1);
  });
});

test("widget_id is not needed: null, or the widget of the conversation, changes nothing", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  for (const widget_id of [null, acme.widgetId]) await adaReplies(acme, conversationId, { widget_id });
});

test("a conversation is not found on a widget that is not its own, whether that is unknown, malformed or another one", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  for (const widget_id of [acme.teamId, "no id", ""]) {
    const answer = await acme.post("/messages", { conversation_id: conversationId, content: "Hello", widget_id });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 404,
      body: { message: "Conversation not found." },
    });
  }
});

test("a conversation that is unknown, another team's, or no id at all gives 404, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  for (const conversation_id of [conversationId, await veraArrives(sams), "", ...NO_IDS]) {
    const { status, body } = await sams.post("/messages", { conversation_id, content: "Sam was here" });
    expect(status).toBe(404);
    expect(body).toEqual(refused("Conversation not found."));
  }
  expect((await conversationOf(acme, conversationId)).unread_messages).toBe(1);
});

test.each([undefined, null, 7])("conversation_id is required: %s gives 422", async (conversation_id) => {
  const acme = await team();
  const { status, body } = await acme.post("/messages", { conversation_id, content: "Hello" });
  expect(status).toBe(422);
  expect(body).toEqual(invalid("conversation_id"));
});

const addGrace = (acme: TestTeam) =>
  app.perform(acme.actor, createAgent, {
    email: "grace@acme.test",
    name: "Grace",
    role: "CHAT_AGENT_MEMBER",
    passwordHash: null,
  });
