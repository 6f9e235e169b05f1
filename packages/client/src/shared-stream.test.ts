/** Several tabs of Vera's browser, with the platform's locks and channels, against the real service. */

import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies } from "@frontdesk/testing/vera";
import { afterEach, describe, expect, test } from "vitest";
import type { Browser, Channel, Locks } from "./browser.ts";
import { type HeldClock, heldClock } from "./clock-for-tests.ts";
import { tellingStorage } from "./storage-for-tests.ts";
import { createVisitorChat, type VisitorChat } from "./visitor-chat.ts";

const { app, team } = await startTestApp();
const origin = await app.start();

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0).reverse()) end();
});

interface Tab {
  chat: VisitorChat;
  /** The tab's open connections. */
  sockets: Set<WebSocket>;
  /** The tab's HTTP requests. */
  requests: string[];
  clock: HeldClock;
  /** The system suspends the tab: it keeps its locks and its connection, and receives nothing from other tabs. */
  sleeps(): void;
  /** The tab is shown again. */
  wakes(): void;
}

/** Vera's browser. Each tab has its own held clock. */
function browser(acme: TestTeam, more: Partial<Browser> = {}) {
  const { storage, onStored } = tellingStorage();
  return function tab(): Tab {
    const sockets = new Set<WebSocket>();
    const requests: string[] = [];
    const channels: Channel[] = [];
    let asleep: Channel["onmessage"][] = [];
    let wake = () => {};
    const clock = heldClock();
    class Socket extends WebSocket {
      constructor(address: string) {
        super(address);
        sockets.add(this);
        this.addEventListener("close", () => sockets.delete(this));
      }
    }
    const chat = createVisitorChat({
      origin,
      widgetId: acme.widgetId,
      browser: {
        clock,
        storage,
        onStored,
        WebSocket: Socket,
        fetch(address, ...options) {
          requests.push(`${options[0]?.method ?? "GET"} ${new URL(String(address)).pathname.split("/").at(-1)}`);
          return fetch(address, ...options);
        },
        locks: navigator.locks as unknown as Locks,
        channel(name) {
          const channel = new BroadcastChannel(name) as unknown as Channel;
          channels.push(channel);
          return channel;
        },
        onWake(listener) {
          wake = listener;
          return () => {};
        },
        ...more,
      },
    });
    chat.open();
    ending.push(() => chat.close());
    return {
      chat,
      sockets,
      requests,
      clock,
      sleeps() {
        asleep = channels.map(({ onmessage }) => onmessage);
        for (const channel of channels) channel.onmessage = null;
      },
      wakes() {
        for (const [index, channel] of channels.entries()) channel.onmessage = asleep[index] ?? null;
        wake();
      },
    };
  };
}

const contentsOf = ({ chat }: Tab) => chat.state.messages.map(({ content }) => content);
const isLive = ({ chat }: Tab) => expect.poll(() => chat.state.connection).toBe("live");
const open = (...tabs: Tab[]) => tabs.map(({ sockets }) => sockets.size);

/** Vera has written in a first tab, which leads, and has opened a second one. */
async function twoTabs(acme: TestTeam) {
  const tab = browser(acme);
  const first = tab();
  first.chat.send({ content: "Hello", name: "Vera" });
  await expect.poll(() => first.chat.state.messages.length).toBe(1);
  await isLive(first);
  const second = tab();
  await isLive(second);
  const conversation = String(first.chat.state.conversation?.id);
  return { tab, first, second, conversation };
}

describe("several tabs", () => {
  test("have one connection, and all show the same", async () => {
    const acme = await team();
    const { tab, first, second, conversation } = await twoTabs(acme);
    const third = tab();
    await isLive(third);
    expect(open(first, second, third)).toEqual([1, 0, 0]);
    const fetches = ({ requests }: Tab) => requests.filter((request) => request === "GET chat").length;
    // A tab that opens while something is being stored may fetch once more.
    const before = [first, second, third].map(fetches);
    await adaReplies(acme, conversation);
    for (const each of [first, second, third]) {
      await expect.poll(() => contentsOf(each)).toEqual(["Hello", "We do, Vera."]);
    }
    // What came over the channel needed no further fetch.
    expect([first, second, third].map(fetches)).toEqual(before);
  });

  test("a message that one tab sends is in the others, and in no outbox", async () => {
    const acme = await team();
    const { first, second } = await twoTabs(acme);
    second.chat.send({ content: "And to Spain?" });
    for (const each of [first, second]) {
      await expect.poll(() => contentsOf(each)).toEqual(["Hello", "And to Spain?"]);
      await expect.poll(() => each.chat.state.outbox).toEqual([]);
    }
  });

  test("the first message, written in one, makes the others listen", async () => {
    const acme = await team();
    const tab = browser(acme);
    const [first, second] = [tab(), tab()];
    first.chat.send({ content: "Hello" });
    for (const each of [first, second]) {
      await expect.poll(() => contentsOf(each)).toEqual(["Hello"]);
      await isLive(each);
    }
    expect(open(first, second).toSorted()).toEqual([0, 1]);
  });

  test("when the one that leads is closed, another takes over and misses nothing", async () => {
    const acme = await team();
    const { first, second, conversation } = await twoTabs(acme);
    first.chat.close();
    await adaReplies(acme, conversation, { content: "Still there?" });
    await expect.poll(() => contentsOf(second)).toEqual(["Hello", "Still there?"]);
    await isLive(second);
    expect(second.sockets.size).toBe(1);
    await expect.poll(() => first.sockets.size).toBe(0);
  });

  test("when the one that leads is put to sleep, another takes the lock from it", async () => {
    const acme = await team();
    const { first, second, conversation } = await twoTabs(acme);
    first.sleeps();
    second.clock.advance(25_000);
    expect(second.sockets.size).toBe(0);
    second.clock.advance(20_000);
    await expect.poll(() => second.sockets.size).toBe(1);
    await isLive(second);
    await expect.poll(() => first.sockets.size).toBe(0);
    await adaReplies(acme, conversation, { content: "Good morning." });
    await expect.poll(() => contentsOf(second)).toEqual(["Hello", "Good morning."]);
  });

  test("a tab that was asleep while events came fetches again when it becomes visible", async () => {
    const acme = await team();
    const { first, second, conversation } = await twoTabs(acme);
    second.sleeps();
    await adaReplies(acme, conversation, { content: "one" });
    await expect.poll(() => contentsOf(first)).toContain("one");
    expect(contentsOf(second)).toEqual(["Hello"]);
    second.wakes();
    await expect.poll(() => contentsOf(second)).toEqual(["Hello", "one"]);
    await isLive(second);
    await adaReplies(acme, conversation, { content: "two" });
    await expect.poll(() => contentsOf(second)).toEqual(["Hello", "one", "two"]);
  });

  test("what happens in any of them goes over the one connection", async () => {
    const acme = await team();
    const { first, second } = await twoTabs(acme);
    const [socket] = first.sockets;
    const sent: string[] = [];
    if (!socket) throw new Error("The first tab has no connection.");
    const send = socket.send.bind(socket);
    socket.send = (text: string) => {
      sent.push(text);
      send(text);
    };
    second.chat.typing(true);
    await expect.poll(() => sent.map((text) => JSON.parse(text).type)).toEqual(["typing"]);
    second.chat.typing(true);
    second.chat.page({ url: "https://acme.test/shop", title: "Shop" });
    await expect.poll(() => sent.map((text) => JSON.parse(text).type)).toEqual(["typing", "page"]);
  });

  test.each(["locks", "channel"])("without %s each has its own connection", async (missing) => {
    const acme = await team();
    const tab = browser(acme, { [missing]: undefined });
    const first = tab();
    first.chat.send({ content: "Hello" });
    await isLive(first);
    const second = tab();
    await isLive(second);
    await expect.poll(() => open(first, second)).toEqual([1, 1]);
  });

  test("a frame that may not use locks has its own connection", async () => {
    const acme = await team();
    const locks: Locks = { request: () => Promise.reject(new DOMException("", "SecurityError")) };
    const first = browser(acme, { locks })();
    first.chat.send({ content: "Hello" });
    await expect.poll(() => first.sockets.size).toBe(1);
    await isLive(first);
  });
});

test("a tab that missed something on the channel fetches again with the next event", async () => {
  const acme = await team();
  const dropped: unknown[] = [];
  let drops = false;
  const tab = browser(acme, {
    channel(name) {
      const channel = new BroadcastChannel(name) as unknown as Channel;
      return new Proxy(channel, {
        get(target, key) {
          if (key === "postMessage" && drops) return (message: unknown) => dropped.push(message);
          const value = Reflect.get(target, key);
          return typeof value === "function" ? value.bind(target) : value;
        },
        set: (target, key, value) => Reflect.set(target, key, value),
      });
    },
  });
  const first = tab();
  first.chat.send({ content: "Hello" });
  await expect.poll(() => first.chat.state.messages.length).toBe(1);
  await isLive(first);
  const second = tab();
  await isLive(second);
  const conversation = String(first.chat.state.conversation?.id);
  drops = true;
  await adaReplies(acme, conversation, { content: "one" });
  await expect.poll(() => dropped.length).toBe(1);
  drops = false;
  expect(contentsOf(second)).toEqual(["Hello"]);
  await adaReplies(acme, conversation, { content: "two" });
  for (const each of [first, second]) await expect.poll(() => contentsOf(each)).toEqual(["Hello", "one", "two"]);
});
