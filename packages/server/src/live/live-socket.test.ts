/** The live stream over WebSockets (docs/decisions/0020-live-stream.md). */
import { once } from "node:events";
import { connect } from "node:net";
import { LIVE_FRAME_MAX_BYTES } from "@frontdesk/core/contract/live";
import { browser, newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { block } from "@frontdesk/testing/insert-rows";
import { listen } from "@frontdesk/testing/live-client";
import { overTheWire, rawBytes } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { createApiKey } from "../access/create-api-key.ts";
import { listApiKeys } from "../access/list-api-keys.ts";
import { revokeApiKey } from "../access/revoke-api-key.ts";
import { updateTeam } from "../teams/update-team.ts";

const { app, storage, team } = await startTestApp();
const origin = await app.start();
const silent = await listen(origin);

test("an agent and the visitor get what is written, each as they see it", async () => {
  const acme = await team();
  const vera = browser(app, acme);
  const first = await vera.write("Do you ship to Portugal?");
  const agent = await listen(origin, { token: acme.apiKey });
  const visitor = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  const { number, epoch } = await agent.heard("ready");
  await visitor.heard("ready");
  expect({ number, epoch }).toEqual({ number: first.chat.number, epoch: first.chat.epoch });

  const { conversation_id } = first.body.message;
  await adaReplies(acme, conversation_id, { content: "We do." });
  await adaReplies(acme, conversation_id, { content: "Sounds nervous.", type: "note" });
  const last = await vera.write("Great!");
  await expect.poll(() => agent.events().length).toBe(3);
  expect(agent.events().map(({ name, message }) => [name, message.content, message.type])).toEqual([
    ["message.sent", "We do.", "message"],
    ["note.added", "Sounds nervous.", "note"],
    ["message.received", "Great!", "message"],
  ]);
  expect(agent.events().at(-1)).toMatchObject({
    conversation: { id: conversation_id, unread_messages: 1, message_count: 4, last_message: { content: "Great!" } },
  });
  await expect.poll(() => visitor.events().length).toBe(2);
  expect(visitor.events().map(({ message }) => message)).toEqual([last.chat.messages[1], last.chat.messages[0]]);
  expect(visitor.events()[0].conversation).toEqual(last.chat.conversation);

  const again = await listen(origin, { token: vera.token, widget_id: acme.widgetId, since: number, epoch });
  await again.heard("ready");
  expect(again.events()).toEqual(visitor.events());
});

test.each([
  ["an unknown token", { token: "fd_key_nothing" }],
  ["an empty token", { token: "" }],
  ["neither a token nor a session", {}],
  ["a visitor who has not written", { token: newVisitorToken() }],
])("%s is closed with 4001", async (_who, hello) => {
  const acme = await team();
  const stream = await listen(origin, { widget_id: acme.widgetId, ...hello });
  await expect.poll(() => stream.closed()?.code).toBe(4001);
  expect(stream.frames).toEqual([]);
});

test("a visitor of no widget is closed with 4004", async () => {
  const stream = await listen(origin, { token: newVisitorToken(), widget_id: "none" });
  await expect.poll(() => stream.closed()?.code).toBe(4004);
  expect(stream.frames).toEqual([]);
});

test("a key without conversations:read is closed with 4001", async () => {
  const acme = await team({ scopes: ["contacts:read", "conversations:write"] });
  const stream = await listen(origin, { token: acme.apiKey });
  await expect.poll(() => stream.closed()?.code).toBe(4001);
});

test("a key that is revoked, and one of a team whose access is switched off, end their streams; others go on", async () => {
  const [acme, globex, calm] = [await team(), await team(), await team()];
  const streams = await Promise.all([acme, globex, calm].map(({ apiKey }) => listen(origin, { token: apiKey })));
  const vera = browser(app, globex);
  await vera.write("Hello");
  const visitor = await listen(origin, { token: vera.token, widget_id: globex.widgetId });
  for (const stream of [...streams, visitor]) await stream.heard("ready");
  const [key] = await app.perform(acme.actor, listApiKeys, {});
  await app.perform(acme.actor, revokeApiKey, { keyId: String(key?.id) });
  await app.perform(globex.actor, updateTeam, { apiAccess: false });
  await expect.poll(() => streams.map((stream) => stream.closed()?.code)).toEqual([4001, 4001, undefined]);
  expect(visitor.closed()).toBeUndefined();
});

test("a visitor who is blocked keeps reading", async () => {
  const acme = await team();
  const vera = browser(app, acme);
  const { body } = await vera.write("Hello");
  await block(storage, acme, body.contact.id);
  const visitor = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  await visitor.heard("ready");
  await adaReplies(acme, body.message.conversation_id, { content: "Good bye." });
  expect((await visitor.heard("event")).message.content).toBe("Good bye.");
});

test.each([
  ["what is no JSON", "hello"],
  ["what has no type", "{}"],
  ["what is null", "null"],
  ["a type that there is not", { type: "shout" }],
  ["a property of every object", { type: "constructor" }],
  ["a hello that begins before the log", { type: "hello", token: "x", since: -1 }],
  [
    "a frame before the hello",
    { type: "typing", conversation_id: "0198c8b5-0000-7000-8000-000000000000", typing: true },
  ],
  ["a character that cannot be stored", '{"type":"hello","token":"\\u0000"}'],
  ["a name that stands twice", '{"type":"ping","type":"ping"}'],
  ["bytes", Buffer.from("{}")],
  ["a frame above 4 KiB", { type: "ping", more: "x".repeat(LIVE_FRAME_MAX_BYTES) }],
])("%s is closed with 4002", async (_what, frame) => {
  const stream = await listen(origin);
  stream.send(frame);
  await expect.poll(() => stream.closed()?.code).toBe(4002);
});

test.each(["ms-word:ofe|u|https://evil.test/a.docm", "file:///etc/passwd", "javascript:alert(1)", "/shop"])(
  "a visitor who says to be on the page %s is closed with 4002, and agents hear nothing of it",
  async (url) => {
    const acme = await team();
    const vera = browser(app, acme);
    await vera.write("Hello");
    const [agent, visitor] = [
      await listen(origin, { token: acme.apiKey }),
      await listen(origin, { token: vera.token, widget_id: acme.widgetId }),
    ];
    for (const stream of [agent, visitor]) await stream.heard("ready");
    visitor.send({ type: "page", url: "https://acme.test/", title: "x".repeat(300) });
    await expect.poll(() => JSON.stringify(agent.frames)).toContain(`"title":"${"x".repeat(255)}"`);
    visitor.send({ type: "page", url, title: "Shop" });
    await expect.poll(() => visitor.closed()?.code).toBe(4002);
    expect(JSON.stringify(agent.frames)).not.toContain(url);
  },
);

test("a second hello, and more than 30 frames at once, are closed with 4002; 30 are not", async () => {
  const acme = await team();
  const twice = await listen(origin, { token: acme.apiKey });
  await twice.heard("ready");
  twice.send({ type: "hello", token: acme.apiKey });
  await expect.poll(() => twice.closed()?.code).toBe(4002);

  const busy = await listen(origin, { token: acme.apiKey });
  for (let n = 1; n < 30; n += 1) busy.send({ type: "ping" });
  await busy.heard("pong", 29);
  expect(busy.closed()).toBeUndefined();
  busy.send({ type: "ping" });
  await expect.poll(() => busy.closed()?.code).toBe(4002);
});

test.each([
  ["a visitor has 20 streams", 20, (acme: TestTeam, veras: string) => ({ token: veras, widget_id: acme.widgetId })],
  ["a key has 100 streams", 100, (acme: TestTeam) => ({ token: acme.apiKey })],
])("%s at most; a place that is left is taken by the next", async (_, most, helloOf) => {
  const acme = await team();
  const vera = browser(app, acme);
  await vera.write("Hello");
  const hello = helloOf(acme, vera.token);
  const streams = await Promise.all(Array.from({ length: most }, () => listen(origin, hello)));
  for (const stream of streams) await stream.heard("ready");
  const tooMany = await listen(origin, hello);
  await expect.poll(() => tooMany.closed()?.code).toBe(1013);
  streams[0]?.leave();
  await expect
    .poll(async () => {
      const next = await listen(origin, hello);
      return Promise.race([next.heard("ready").then(() => true), once(next.socket, "close").then(() => false)]);
    })
    .toBe(true);
});

test("a page of another site may not open a stream, and neither may one that calls us by a name of its own", async () => {
  const refused = async (headers: Record<string, string>) => {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, { headers });
    const [, response] = await once(socket, "unexpected-response");
    return response.statusCode;
  };
  expect(await refused({ origin: "https://evil.test" })).toBe(403);
  expect(await refused({ host: "evil.test" })).toBe(403);
  const ours = await listen(origin, undefined, { origin: "https://chat.test" });
  expect(ours.closed()).toBeUndefined();
  ours.leave();
});

test("without an upgrade the address says what it takes, and an upgrade of another kind is not made", async () => {
  expect(await overTheWire(origin, { path: "/live" })).toMatchObject({ status: 426 });
  const h2c = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" };
  expect(await overTheWire(origin, { path: "/health/live", headers: h2c })).toMatchObject({ status: 200 });
  expect(await overTheWire(origin, { path: "/live", headers: h2c })).toMatchObject({ status: 426 });
  const head = `GET /live HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  expect(await rawBytes(origin, `${head}\r\n`)).toMatchObject({ status: 400 });
  // Elsewhere it is a request as any other.
  const elsewhere = head.replace("/live", "/health/live").replace("Connection: Upgrade", "Connection: Upgrade, close");
  expect(await rawBytes(origin, `${elsewhere}\r\n`)).toMatchObject({ status: 200, body: { status: "ok" } });
});

test("a client that disconnects while it opens a stream harms no other", async () => {
  const { hostname, port } = new URL(origin);
  for (let n = 0; n < 20; n += 1) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(
      `GET /live HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    socket.resetAndDestroy();
  }
  const acme = await team();
  const stream = await listen(origin, { token: acme.apiKey });
  await stream.heard("ready");
});

test("a team gets nothing of another team", async () => {
  const [acme, globex] = [await team(), await team()];
  const sam = await listen(origin, { token: globex.apiKey });
  await sam.heard("ready");
  await veraWrites(acme);
  await veraWrites(globex, { content: "For Sam." });
  await sam.heard("event", 3);
  expect(JSON.stringify(sam.frames)).not.toContain("Portugal");
  expect(sam.events().map(({ name }) => name)).toEqual(["contact.created", "conversation.created", "message.received"]);
});

test("a key gets events of what it may read, and nothing else", async () => {
  const acme = await team();
  const { value } = await app.perform(acme.actor, createApiKey, { name: "reader", scopes: ["conversations:read"] });
  const reader = await listen(origin, { token: value });
  await reader.heard("ready");
  const vera = await veraWrites(acme);
  await acme.put(`/contacts/${vera.contactId}`, { name: "Vera Costa" });
  await adaReplies(acme, vera.conversationId);
  await reader.heard("event", 3);
  expect(reader.events().map(({ name }) => name)).toEqual(["conversation.created", "message.received", "message.sent"]);
});

test("a server that stops closes its streams with 1012 at once, and ends", async () => {
  const other = await startTestApp();
  const base = await other.app.start();
  const acme = await other.team();
  const streams = await Promise.all(Array.from({ length: 5 }, () => listen(base, { token: acme.apiKey })));
  for (const stream of streams) await stream.heard("ready");
  const silent = await listen(base);
  const asleep = await listen(base, { token: acme.apiKey });
  await asleep.heard("ready");
  // It does not take its leave.
  asleep.socket.pause();
  await other.app.close();
  for (const stream of [...streams, silent]) expect(stream.closed()?.code).toBe(1012);
  asleep.leave();
});

test("the metrics count the open streams and the events that were sent", async () => {
  const other = await startTestApp();
  const base = await other.app.start();
  const acme = await other.team();
  const metric = async (name: string) => {
    const { text } = await overTheWire(base, { path: "/metrics" });
    return Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]);
  };
  const streams = [await listen(base, { token: acme.apiKey }), await listen(base, { token: acme.apiKey })];
  for (const stream of streams) await stream.heard("ready");
  expect(await metric('frontdesk_live_streams{transport="websocket"}')).toBe(2);
  await veraWrites(acme);
  for (const stream of streams) await stream.heard("event", 3);
  expect(await metric("frontdesk_live_events_total")).toBe(6);
  streams[0]?.leave();
  await expect.poll(() => metric('frontdesk_live_streams{transport="websocket"}')).toBe(1);
});

test("a client that does not send hello within 10 seconds is closed with 4002", async () => {
  await expect.poll(() => silent.closed()?.code).toBe(4002);
});
