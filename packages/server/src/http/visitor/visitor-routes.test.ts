/** Visitors in the widget, over HTTP (docs/decisions/0020-live-stream.md). */
import { randomBytes, randomUUID } from "node:crypto";
import { Chat, ChatMessage } from "@frontdesk/core/contract/visitor";
import { problemsOf } from "@frontdesk/testing/ajv";
import { block } from "@frontdesk/testing/insert-rows";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { app, storage, team } = await startTestApp();

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const newToken = () => `fd_visitor_${[...randomBytes(43)].map((byte) => ALPHABET[byte % 62]).join("")}`;

/** A browser with the widget open. */
function browser(acme: TestTeam, { token = newToken(), widget = acme.widgetId } = {}) {
  const ask = async (method: "GET" | "POST", path: string, body?: object) => {
    const answer = await app.http.inject({
      method,
      url: `/visitor/${widget}${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  return {
    token,
    write: (content: string, more: object = {}) =>
      ask("POST", "/messages", { client_id: randomUUID(), content, ...more }),
    chat: (query = "") => ask("GET", `/chat${query}`),
    seen: (conversation_id: string, sort_number: number) => ask("POST", "/seen", { conversation_id, sort_number }),
    ask,
  };
}

test("the first message makes contact, conversation and session in one commit; nothing was stored before", async () => {
  const acme = await team();
  const vera = browser(acme);
  const before = await dump(storage);
  expect(await vera.chat()).toMatchObject({ status: 401 });
  expect(await dump(storage)).toBe(before);

  const { status, body } = await vera.write("Do you ship to Portugal?", {
    name: "Vera",
    email: "vera@example.com",
    page_visited: [{ page: "https://acme.test/shop", date: "2026-11-20T08:59:00Z" }],
  });
  expect(status).toBe(201);
  expect(problemsOf(ChatMessage, body.message)).toEqual([]);
  expect(body.message).toMatchObject({
    from: "visitor",
    sort_number: 1,
    content: "Do you ship to Portugal?",
    agent: null,
  });
  expect((await acme.events()).slice(-3).map(({ name }) => name)).toEqual([
    "contact.created",
    "conversation.created",
    "message.received",
  ]);
  expect(await dump(storage)).not.toContain(vera.token.slice(11));
  const { body: contact } = await acme.get(`/contacts/${body.contact.id}`);
  expect(contact.data.attributes).toMatchObject({ name: "Vera", page_visited: [{ page: "https://acme.test/shop" }] });
});

test("a message that is sent again, at once or later, is there once, also when it is the first", async () => {
  const acme = await team();
  const vera = browser(acme);
  const again = { client_id: randomUUID() };
  const twins = await Promise.all([1, 2, 3].map(() => vera.write("Hello?", again)));
  twins.push(await vera.write("Hello?", again));
  expect(twins.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(twins.map(({ body }) => body.message.id)).size).toBe(1);
  expect((await vera.chat()).body.messages).toHaveLength(1);
  expect((await acme.events()).filter(({ name }) => name === "contact.created")).toHaveLength(1);
});

test("a visitor sees their own conversation, newest first, with the agents who answered, and neither notes nor others", async () => {
  const acme = await team();
  const vera = browser(acme);
  const hugo = browser(acme);
  await hugo.write("I am Hugo.");
  const { conversation_id } = (await vera.write("I am Vera.")).body.message;
  await acme.post("/messages", { conversation_id, content: "Hello Vera." });
  await acme.post("/messages", { conversation_id, content: "Sounds nervous.", type: "note" });

  const { body } = await vera.chat();
  expect(problemsOf(Chat, body)).toEqual([]);
  expect(body.messages.map(({ from, content, agent }: ChatMessage) => [from, content, agent?.name ?? null])).toEqual([
    ["agent", "Hello Vera.", "Ada"],
    ["visitor", "I am Vera.", null],
  ]);
  expect(JSON.stringify(body)).not.toMatch(/nervous|Hugo|ada@/);
  expect(body.number).toBe((await acme.events()).length);

  const [older] = (await vera.chat("?limit=1")).body.messages;
  expect((await vera.chat(`?limit=1&before=${older.sort_number}`)).body).toMatchObject({
    messages: [{ content: "I am Vera." }],
    has_more: false,
  });
});

test("an e-mail that a visitor types leads to no other contact's conversation", async () => {
  const acme = await team();
  const vera = browser(acme);
  const mallory = browser(acme);
  await vera.write("My address is Main Street 1.", { name: "Vera", email: "vera@example.com" });
  const { body } = await mallory.write("Hello", { name: "Vera", email: "vera@example.com" });
  expect((await mallory.chat()).body.messages).toHaveLength(1);
  expect(body.contact.id).not.toBe((await vera.chat()).body.contact.id);
});

test("a message to a resolved conversation reopens it", async () => {
  const acme = await team();
  const vera = browser(acme);
  const { conversation_id } = (await vera.write("Hello")).body.message;
  await acme.post(`/conversations/${conversation_id}/resolve`, { status: "resolved" });
  expect((await vera.chat()).body.conversation.is_resolved).toBe(true);
  expect((await vera.write("One more thing")).body.message.conversation_id).toBe(conversation_id);
  expect((await vera.chat()).body.conversation.is_resolved).toBe(false);
});

test("what was seen stays seen, is never more than there is, and is recorded once", async () => {
  const acme = await team();
  const [vera, hugo] = [browser(acme), browser(acme)];
  const { conversation_id } = (await vera.write("Hello")).body.message;
  const other = (await hugo.write("Hello")).body.message.conversation_id;
  await acme.post("/messages", { conversation_id, content: "Hello Vera." });
  expect((await vera.seen(conversation_id, 99)).body.conversation.seen_number).toBe(2);
  expect((await vera.seen(conversation_id, 1)).body.conversation.seen_number).toBe(2);
  expect((await vera.seen(other, 1)).status).toBe(404);
  expect((await acme.events()).filter(({ name }) => name === "conversation.seen")).toHaveLength(1);
});

test("a blocked visitor reads, and writes no more", async () => {
  const acme = await team();
  const vera = browser(acme);
  const { contact } = (await vera.write("Hello")).body;
  await block(storage, acme, contact.id);
  expect(await vera.write("Hello?")).toMatchObject({
    status: 403,
    body: { message: "You can no longer send messages here." },
  });
  expect((await vera.chat()).body.messages).toHaveLength(1);
});

test("a token of another widget, team or form is refused; an unknown widget is not found", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = browser(acme);
  await vera.write("Hello");
  expect((await browser(sams, { token: vera.token }).chat()).status).toBe(401);
  for (const token of ["", "x", acme.apiKey, vera.token.slice(0, -1), `${vera.token}x`]) {
    expect((await browser(acme, { token }).chat()).status, token).toBe(401);
  }
  for (const widget of [randomUUID(), "x"]) {
    expect(await browser(acme, { widget }).chat()).toMatchObject({
      status: 404,
      body: { message: "Widget not found." },
    });
  }
});

test("what does not fit is refused with the field's name, and nothing is stored", async () => {
  const acme = await team();
  const vera = browser(acme);
  const before = await dump(storage);
  const wrong = {
    content: { content: "" },
    client_id: { client_id: "7" },
    email: { email: "vera" },
    attachments: { attachments: Array.from({ length: 10 }, () => ({ url: "https://files.test/a.png" })) },
    "attachments.0.url": { attachments: [{ url: "javascript:alert(1)" }] },
    "page_visited.0.date": { page_visited: [{ page: "https://acme.test/", date: "2026-02-31T00:00:00Z" }] },
    "page_visited.0.page": { page_visited: [{ page: "vscode://file/etc", date: "2026-02-28T00:00:00Z" }] },
  };
  for (const [field, part] of Object.entries(wrong)) {
    const { status, body } = await vera.write("Hello", part);
    expect({ field, status, named: Object.keys(body.errors ?? {}) }).toEqual({ field, status: 422, named: [field] });
  }
  expect(await dump(storage)).toBe(before);
});
