/** The three transports of the real service's live stream, over real connections. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Chat } from "@frontdesk/core/contract/visitor";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies } from "@frontdesk/testing/vera";
import { afterEach, describe, expect, test } from "vitest";
import { heldClock } from "./clock-for-tests.ts";
import {
  type Hello,
  type Listener,
  type LiveConnection,
  overEventStream,
  overPolling,
  overWebSocket,
  type Transport,
} from "./live-transports.ts";
import { browserStorage } from "./storage-for-tests.ts";
import { createVisitorChat } from "./visitor-chat.ts";

const { app, team } = await startTestApp();
const origin = await app.start();
const clock = heldClock();

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0).reverse()) end();
});

const ways = {
  WebSocket: (to: string) => overWebSocket(to, WebSocket),
  "server-sent events": (to: string) => overEventStream(to, fetch),
  polling: (to: string) => overPolling(to, fetch, clock),
};

/** Vera has written, and her tab is closed: what she needs to listen. */
async function veraHasWritten() {
  const acme = await team();
  const storage = browserStorage();
  const chat = createVisitorChat({ origin, widgetId: acme.widgetId, browser: { storage } });
  chat.send({ content: "Hello", name: "Vera" });
  await expect.poll(() => chat.state.messages.length).toBe(1);
  chat.close();
  const token = String(storage.getItem(`frontdesk:${acme.widgetId}:token`));
  const answer = await fetch(`${origin}/visitor/${acme.widgetId}/chat`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { number, epoch, conversation } = (await answer.json()) as Chat;
  const hello: Hello = { token, widget_id: acme.widgetId, since: number, epoch };
  return { acme, hello, conversation: String(conversation?.id) };
}

/** A connection that records what it receives. */
function connect(transport: Transport, hello: () => Hello) {
  const frames: { type: string; number?: number; epoch?: string; message?: { content: string } }[] = [];
  const codes: number[] = [];
  let received = 0;
  const on: Listener = {
    received: () => {
      received += 1;
    },
    frame: (text) => frames.push(JSON.parse(text)),
    closed: (code) => codes.push(code),
  };
  const connection: LiveConnection = transport(hello, on);
  ending.push(() => connection.close());
  return {
    connection,
    codes,
    received: () => received,
    /** Without frames about this moment only. */
    logged: () => frames.filter(({ type }) => ["event", "ready", "reset"].includes(type)),
    contents: () => frames.flatMap(({ message }) => message?.content ?? []),
  };
}

describe.each(Object.entries(ways))("over %s", (name, way) => {
  /** A poll gets new events with its next request. */
  const timePasses = () => {
    if (name === "polling") clock.advance(15_000);
  };

  test("comes what was said since, then `ready`, then what is said from now on", async () => {
    const { acme, hello, conversation } = await veraHasWritten();
    await adaReplies(acme, conversation, { content: "one" });
    let since = Number(hello.since);
    const { logged, contents, codes, received } = connect(way(origin), () => ({ ...hello, since }));
    await expect.poll(() => logged().map(({ type }) => type)).toEqual(["event", "ready"]);
    since = Number(logged().at(-1)?.number);
    await adaReplies(acme, conversation, { content: "two" });
    timePasses();
    await expect.poll(contents).toEqual(["one", "two"]);
    expect(received()).toBeGreaterThan(1);
    expect(codes).toEqual([]);
  });

  test("another log is announced by `reset`", async () => {
    const { hello } = await veraHasWritten();
    const { logged } = connect(way(origin), () => ({ ...hello, epoch: "another" }));
    await expect.poll(() => logged().map(({ type }) => type)).toEqual(["reset", "ready"]);
    expect(logged()[0]).toMatchObject({ number: hello.since, epoch: hello.epoch });
  });

  test("a token that is not valid ends with 4001", async () => {
    const { hello } = await veraHasWritten();
    const { codes } = connect(way(origin), () => ({ ...hello, token: `fd_visitor_${"x".repeat(43)}` }));
    await expect.poll(() => codes).toEqual([4001]);
  });

  test("where no server listens, or something else answers, the connection is lost", async () => {
    const { hello } = await veraHasWritten();
    const other = createServer((_request, response) => void response.writeHead(404).end("<h1>Not here</h1>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    ending.push(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { codes } = connect(way(`http://127.0.0.1:${port}`), () => hello);
    await expect.poll(() => codes).toEqual([1006]);
    const { codes: nobody } = connect(way("http://127.0.0.1:9"), () => hello);
    await expect.poll(() => nobody).toEqual([1006]);
  });

  test("nothing is received after it was closed", async () => {
    const { acme, hello, conversation } = await veraHasWritten();
    const left = connect(way(origin), () => hello);
    const stays = connect(way(origin), () => hello);
    await expect.poll(() => left.logged().length).toBe(1);
    await expect.poll(() => stays.logged().length).toBe(1);
    left.connection.close();
    await adaReplies(acme, conversation, { content: "one" });
    timePasses();
    await expect.poll(stays.contents).toEqual(["one"]);
    expect(left.contents()).toEqual([]);
  });
});

test("over server-sent events, the close code of the server is passed on", async () => {
  const events = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end('event: close\ndata: {"code":4001,"reason":"not a valid token"}\n\n');
  });
  await new Promise<void>((resolve) => events.listen(0, "127.0.0.1", resolve));
  ending.push(() => void events.close());
  const { port } = events.address() as AddressInfo;
  const hello = { token: "t", since: null, epoch: null };
  const { codes, logged } = connect(overEventStream(`http://127.0.0.1:${port}`, fetch), () => hello);
  await expect.poll(() => codes[0]).toBe(4001);
  expect(logged()).toEqual([]);
});

test("over server-sent events, a frame that arrives in pieces is one frame", async () => {
  const events = createServer(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const bytes = Buffer.from(':\n\nid: e:1\ndata: {"type":"event","number":1,"message":{"content":"Olá"}}\n\n');
    for (const byte of bytes) await new Promise<void>((sent) => response.write(Buffer.of(byte), () => sent()));
  });
  await new Promise<void>((resolve) => events.listen(0, "127.0.0.1", resolve));
  ending.push(() => {
    events.closeAllConnections();
    events.close();
  });
  const { port } = events.address() as AddressInfo;
  const hello = { token: "t", since: null, epoch: null };
  const { contents } = connect(overEventStream(`http://127.0.0.1:${port}`, fetch), () => hello);
  await expect.poll(contents).toEqual(["Olá"]);
});

describe("a chat", () => {
  test.each([
    ["without WebSockets", "events"],
    ["where no stream gets through", "poll"],
  ])("%s is live all the same", async (_where, last) => {
    const acme = await team();
    const asked: string[] = [];
    const held = heldClock();
    const chat = createVisitorChat({
      origin,
      widgetId: acme.widgetId,
      browser: {
        clock: held,
        WebSocket: undefined,
        locks: undefined,
        fetch(address, ...options) {
          const path = String(new URL(String(address)).pathname.split("/").at(-1));
          asked.push(path);
          return last === "poll" && path === "events"
            ? Promise.reject(new TypeError("Cut off."))
            : fetch(address, ...options);
        },
      },
    });
    ending.push(() => chat.close());
    chat.send({ content: "Hello", name: "Vera" });
    await expect
      .poll(() => {
        // Waits are short here.
        if (asked.at(-1) !== last) held.advance(500);
        return [asked.at(-1), chat.state.connection];
      })
      .toEqual([last, "live"]);
    await adaReplies(acme, String(chat.state.conversation?.id));
    if (last === "poll") held.advance(15_000);
    await expect.poll(() => chat.state.messages.map(({ content }) => content)).toEqual(["Hello", "We do, Vera."]);
  });
});
