/** The store against the real service over real sockets: Vera in one browser or several tabs of it, Ada over REST. */

import { listen } from "@frontdesk/testing/live-client";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets } from "@frontdesk/testing/vera";
import { afterEach, describe, expect, test } from "vitest";
import type { Browser } from "./browser.ts";
import { browserStorage } from "./storage-for-tests.ts";
import { createVisitorChat, type VisitorChat } from "./visitor-chat.ts";

const { app, team } = await startTestApp();
const origin = await app.start();

const open: VisitorChat[] = [];
afterEach(() => {
  for (const chat of open.splice(0)) chat.close();
});

/** A browser that Vera uses; each call of `tab` opens another tab, or reloads a closed one. */
function browser(acme: TestTeam, more: Partial<Browser> = {}) {
  const storage = browserStorage();
  return {
    storage,
    tab() {
      const chat = createVisitorChat({ origin, widgetId: acme.widgetId, browser: { storage, ...more } });
      open.push(chat);
      chat.open();
      return chat;
    },
  };
}

const alone = { locks: undefined, channel: undefined };
const contentsOf = ({ state }: VisitorChat) => state.messages.map(({ content }) => content);
const isLive = (chat: VisitorChat) => expect.poll(() => chat.state.connection).toBe("live");
/** Vera has written, and her stream is live. */
async function veraWrites(chat: VisitorChat, content = "Do you ship to Portugal?"): Promise<string> {
  chat.send({ content, name: "Vera" });
  await expect.poll(() => contentsOf(chat)).toContain(content);
  await isLive(chat);
  return String(chat.state.conversation?.id);
}

describe("a visitor", () => {
  test("leaves no trace, here or there, before the first message", async () => {
    const acme = await team();
    let asked = 0;
    const vera = browser(acme, {
      fetch: (...request) => {
        asked += 1;
        return fetch(...request);
      },
    });
    const chat = vera.tab();
    chat.seen();
    chat.typing(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(chat.state).toMatchObject({
      contact: null,
      conversation: null,
      messages: [],
      outbox: [],
      connection: "live",
    });
    expect([asked, vera.storage.values.size]).toEqual([0, 0]);
  });

  test("writes and is answered, live", async () => {
    const acme = await team();
    const chat = browser(acme, alone).tab();
    const states: string[] = [];
    chat.subscribe(({ connection }) => states.at(-1) === connection || states.push(connection));
    const clientId = chat.send({ content: "Do you ship to Portugal?", name: "Vera", email: "vera@example.com" });
    expect(chat.state.outbox).toMatchObject([{ client_id: clientId, refused: null }]);
    await expect.poll(() => states).toEqual(["live", "connecting", "live"]);
    expect(chat.state).toMatchObject({
      contact: { name: "Vera", email: "vera@example.com" },
      messages: [{ client_id: clientId, from: "visitor" }],
      outbox: [],
    });
    await adaReplies(acme, String(chat.state.conversation?.id));
    await expect.poll(() => contentsOf(chat)).toEqual(["Do you ship to Portugal?", "We do, Vera."]);
    expect(chat.state.messages[1]?.agent?.name).toBe("Ada");
  });

  test("keeps what an event has said before the answer to an earlier request came", async () => {
    const acme = await team();
    let held = Promise.resolve();
    const vera = browser(acme, {
      fetch: async (...request) => {
        const answer = await fetch(...request);
        await held;
        return answer;
      },
    });
    const chat = vera.tab();
    const id = await veraWrites(chat);
    const written = Promise.withResolvers<void>();
    held = written.promise;
    chat.send({ content: "And to Spain?" });
    await expect.poll(() => contentsOf(chat)).toContain("And to Spain?");
    expect((await acme.put(`/contacts/${chat.state.contact?.id}`, { name: "Vera V." })).status).toBe(200);
    await expect.poll(() => chat.state.contact?.name).toBe("Vera V.");
    // The next message is sent once the answer to this one is read; its own is held.
    const thanked = Promise.withResolvers<void>();
    held = thanked.promise;
    chat.send({ content: "Thank you." });
    written.resolve();
    await expect.poll(() => contentsOf(chat)).toContain("Thank you.");
    expect(chat.state.contact?.name).toBe("Vera V.");
    thanked.resolve();

    await adaSets(acme, id, "resolved");
    await expect.poll(() => chat.state.conversation?.is_resolved).toBe(true);
    const rated = Promise.withResolvers<void>();
    held = rated.promise;
    const isRated = chat.rate(5, "");
    await expect.poll(() => chat.state.conversation?.rating).toBe(5);
    await adaSets(acme, id, "open");
    await expect.poll(() => chat.state.conversation?.is_resolved).toBe(false);
    rated.resolve();
    expect(await isRated).toBe(true);
    expect(chat.state.conversation).toMatchObject({ is_resolved: false, rating: 5 });
  });

  test("finds everything again after a reload", async () => {
    const acme = await team();
    const vera = browser(acme);
    const before = vera.tab();
    await adaReplies(acme, await veraWrites(before));
    await expect.poll(() => before.state.messages.length).toBe(2);
    before.close();
    const after = vera.tab();
    await isLive(after);
    const { contact, conversation, messages } = before.state;
    expect(after.state).toMatchObject({ contact, conversation, messages, hasMore: false, outbox: [] });
  });

  test("sees the conversation resolved, and open again with the next message", async () => {
    const acme = await team();
    const chat = browser(acme).tab();
    await adaSets(acme, await veraWrites(chat), "resolved");
    await expect.poll(() => chat.state.conversation?.is_resolved).toBe(true);
    await veraWrites(chat, "One more thing.");
    await expect.poll(() => chat.state.conversation?.is_resolved).toBe(false);
  });

  test("who types before the stream is live, or goes on over a lost connection, is shown to the team once it is", async () => {
    const acme = await team();
    const sockets: WebSocket[] = [];
    class Socket extends WebSocket {
      constructor(address: string) {
        super(address);
        sockets.push(this);
      }
    }
    const vera = browser(acme, { ...alone, WebSocket: Socket });
    const before = vera.tab();
    await veraWrites(before);
    before.close();
    const ada = await listen(origin, { token: acme.apiKey });
    await ada.heard("ready");

    const after = vera.tab();
    let typedWhile = "";
    after.subscribe(({ conversation, connection }) => {
      if (!conversation || typedWhile) return;
      typedWhile = connection;
      after.typing(true);
    });
    expect(await ada.heard("typing")).toMatchObject({ from: "visitor", typing: true });
    expect(typedWhile).toBe("connecting");

    sockets.at(-1)?.close();
    expect(await ada.heard("typing", 2)).toMatchObject({ typing: false });
    expect(await ada.heard("typing", 3)).toMatchObject({ typing: true });
    after.typing(false);
    expect(await ada.heard("typing", 4)).toMatchObject({ typing: false });
  });

  test("has seen what they looked at, here at once and on the server", async () => {
    const acme = await team();
    const vera = browser(acme);
    const chat = vera.tab();
    await adaReplies(acme, await veraWrites(chat));
    await expect.poll(() => chat.state.messages.length).toBe(2);
    expect(chat.state.conversation?.seen_number).toBe(0);
    chat.seen();
    const { sort_number } = chat.state.messages.at(-1) ?? {};
    expect(chat.state.conversation?.seen_number).toBe(sort_number);
    await expect.poll(async () => (await acme.events()).map(({ name }) => name)).toContain("conversation.seen");
    chat.close();
    const after = vera.tab();
    await isLive(after);
    expect(after.state.conversation?.seen_number).toBe(sort_number);
  });

  test("reads older messages page by page, down to the first", async () => {
    const acme = await team();
    const vera = browser(acme);
    const chat = vera.tab();
    const conversation = await veraWrites(chat);
    for (let line = 1; line <= 109; line++) await adaReplies(acme, conversation, { content: `Line ${line}` });
    await expect.poll(() => chat.state.messages.length).toBe(110);
    expect(await chat.loadOlder()).toBe(false);
    chat.close();
    const after = vera.tab();
    await isLive(after);
    expect([after.state.messages.length, after.state.hasMore]).toEqual([50, true]);
    expect([await after.loadOlder(), await after.loadOlder(), await after.loadOlder()]).toEqual([true, true, false]);
    expect(after.state.hasMore).toBe(false);
    expect(contentsOf(after)).toEqual(contentsOf(chat));
  });

  test("gets the reason for a refusal, and may correct it", async () => {
    const acme = await team();
    const chat = browser(acme).tab();
    const clientId = chat.send({ content: "Hello", email: "vera@" });
    await expect.poll(() => chat.state.outbox[0]?.refused?.status).toBe(422);
    expect(chat.state.outbox[0]?.refused?.errors).toHaveProperty("email");
    chat.retry(clientId, { email: "vera@example.com" });
    await expect.poll(() => chat.state.messages[0]?.client_id).toBe(clientId);
    expect(chat.state.contact?.email).toBe("vera@example.com");
    expect(chat.state.outbox).toEqual([]);
  });

  test("is forgotten by a browser that others use too", async () => {
    const acme = await team();
    const vera = browser(acme);
    const chat = vera.tab();
    await veraWrites(chat);
    chat.forget();
    expect(chat.state).toMatchObject({ contact: null, conversation: null, messages: [] });
    expect(vera.storage.values.size).toBe(0);
    chat.open();
    await veraWrites(chat, "I am Hugo.");
    expect(contentsOf(chat)).toEqual(["I am Hugo."]);
  });

  test("gets every change until they unsubscribe", async () => {
    const acme = await team();
    const chat = browser(acme).tab();
    const seen: number[] = [];
    const end = chat.subscribe(({ messages }) => seen.push(messages.length));
    await veraWrites(chat);
    expect(seen.at(-1)).toBe(1);
    end();
    const before = seen.length;
    await veraWrites(chat, "Hello?");
    expect(seen).toHaveLength(before);
  });
});

describe("without a network", () => {
  /** A network that can be cut, for requests and sockets alike. */
  function network() {
    let cut = false;
    let wake = () => {};
    const sockets = new Set<WebSocket>();
    class Socket extends WebSocket {
      constructor(address: string) {
        super(cut ? "ws://127.0.0.1:9" : address);
        sockets.add(this);
      }
    }
    const parts: Partial<Browser> = {
      ...alone,
      WebSocket: Socket,
      fetch: (...request) => (cut ? Promise.reject(new TypeError("No network.")) : fetch(...request)),
      onWake(listener) {
        wake = listener;
        return () => {};
      },
    };
    return {
      parts,
      cut() {
        cut = true;
        for (const socket of sockets) socket.close();
      },
      restore() {
        cut = false;
        wake();
      },
    };
  }

  test("five messages are kept over a reload, and delivered once each, in their order", async () => {
    const acme = await team();
    const net = network();
    const vera = browser(acme, net.parts);
    const before = vera.tab();
    await veraWrites(before, "zero");
    net.cut();
    await expect.poll(() => before.state.connection).toBe("offline");
    const written = ["one", "two", "three", "four", "five"];
    for (const content of written) before.send({ content });
    before.close();
    const after = vera.tab();
    expect(after.state.outbox.map(({ content }) => content)).toEqual(written);
    net.restore();
    await expect.poll(() => contentsOf(after)).toEqual(["zero", ...written]);
    await isLive(after);
    expect(after.state.outbox).toEqual([]);
    const { body } = await acme.get(`/conversations/${after.state.conversation?.id}/messages`);
    expect(body.data).toHaveLength(6);
  });

  test("what was said meanwhile is there when it is back", async () => {
    const acme = await team();
    const net = network();
    const chat = browser(acme, net.parts).tab();
    const conversation = await veraWrites(chat);
    net.cut();
    await expect.poll(() => chat.state.connection).toBe("offline");
    await adaReplies(acme, conversation, { content: "Are you there?" });
    net.restore();
    await expect.poll(() => contentsOf(chat).at(-1)).toBe("Are you there?");
  });

  test("the first message whose answer was lost is there once", async () => {
    const acme = await team();
    let lost = 0;
    const chat = browser(acme, {
      ...alone,
      async fetch(...request) {
        const answer = await fetch(...request);
        if (String(request[0]).endsWith("/messages") && lost++ === 0) throw new TypeError("The answer was lost.");
        return answer;
      },
    }).tab();
    await veraWrites(chat);
    expect(lost).toBe(2);
    expect(chat.state.messages).toHaveLength(1);
    expect((await acme.events()).filter(({ name }) => name === "contact.created")).toHaveLength(1);
  });
});
