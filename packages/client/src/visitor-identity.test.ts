/**
 * Visitor identity, against the real service over real sockets: Vera, identified by Acme's server, and others in the same
 * browser.
 */

import { newIdentitySecret, signedToken } from "@frontdesk/testing/signed-identity";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { contactOf } from "@frontdesk/testing/vera";
import { afterEach, describe, expect, test } from "vitest";
import type { Browser } from "./browser.ts";
import { browserStorage } from "./storage-for-tests.ts";
import { createVisitorChat, type VisitorChat } from "./visitor-chat.ts";
import type { VisitorAnswer } from "./visitor-requests.ts";
import { fingerprintOf, storageKeyOf } from "./visitor-storage.ts";

const { app, team, clock } = await startTestApp({ TRUST_PROXY: "true" });
const origin = await app.start();
const HOUR_S = 3_600;
const CHAT = "/chat?limit=50";

const open: VisitorChat[] = [];
let browsers = 0;
afterEach(() => {
  for (const chat of open.splice(0)) chat.close();
});

/** A browser; each call of `page` opens another page, which knows no visitor yet. `asked` are the requests, in order. */
function browser(acme: TestTeam) {
  // Its own address, because new visitors per address and minute are limited.
  browsers += 1;
  const address = `10.0.0.${browsers}`;
  const storage = browserStorage();
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  /** The requests that the service has answered, also when the answer is held back. */
  const answered: string[] = [];
  /** Requests with this prefix never get their answer. */
  const lost = new Set<string>();
  /** Answers and requests that wait until they are released. */
  const held = new Map<string, Promise<void>>();
  const delayed = new Map<string, Promise<void>>();
  const fetching: Browser["fetch"] = async (to, init) => {
    const path = String(to).split(acme.widgetId)[1] ?? "";
    asked.push({ path, body: init?.body ? JSON.parse(String(init.body)) : {} });
    const delay = delayed.get(path);
    delayed.delete(path);
    await delay;
    const headers = { ...(init?.headers as Record<string, string>), "x-forwarded-for": address };
    const answer = await fetch(to, { ...init, headers });
    answered.push(path);
    await held.get(path);
    if ([...lost].some((each) => path.startsWith(each))) throw new TypeError("The answer was lost.");
    return answer;
  };
  return {
    storage,
    asked: (path: string) => asked.filter((each) => each.path === path),
    answered: (path: string) => answered.filter((each) => each === path).length,
    lost,
    /** Holds back the answers of `path`; the returned function releases them. */
    hold(path: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return resolve;
    },
    /** The next request to `path` reaches the service when the returned function is called. */
    delayNext(path: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      delayed.set(path, promise);
      return resolve;
    },
    page() {
      const answers: VisitorAnswer<"introduce">[] = [];
      const parts = { storage, fetch: fetching, locks: undefined, channel: undefined };
      const onIdentified = (answer: VisitorAnswer<"introduce">) => answers.push(answer);
      const chat = createVisitorChat({ origin, widgetId: acme.widgetId, browser: parts, onIdentified });
      open.push(chat);
      chat.open();
      return { chat, answers };
    },
  };
}

const identity = (secret: string, sub: string, lasts_s = HOUR_S) =>
  signedToken(secret, { sub, name: sub, exp: Math.floor(clock.now() / 1_000) + lasts_s, jti: Math.random() });

const contentsOf = ({ state }: VisitorChat) => state.messages.map(({ content }) => content);
async function writes(chat: VisitorChat, content: string): Promise<void> {
  chat.send({ content });
  await expect.poll(() => contentsOf(chat)).toContain(content);
}

test("what the page knows of a visitor who has not written goes with their first message, and is not sent before", async () => {
  const acme = await team();
  const vera = browser(acme);
  const { chat } = vera.page();
  expect(await chat.identify({ name: "Vera", email: "vera@acme.test" })).toBeUndefined();
  expect([vera.asked("/introduce").length, vera.storage.values.size]).toEqual([0, 0]);
  await writes(chat, "Hello");
  expect(chat.state.contact).toMatchObject({ name: "Vera", email: "vera@acme.test" });
  // The next page says the same, and sends no request.
  expect(await vera.page().chat.identify({ name: "Vera", email: "vera@acme.test" })).toBeUndefined();
  expect(vera.asked("/introduce")).toEqual([]);
});

test("what changes after the first message is sent once, over all pages of the site", async () => {
  const acme = await team();
  const vera = browser(acme);
  const { chat } = vera.page();
  await writes(chat, "Hello");
  await chat.identify({ name: "Vera Vidal" });
  expect((await contactOf(acme, String(chat.state.contact?.id))).name).toBe("Vera Vidal");
  await vera.page().chat.identify({ name: "Vera Vidal" });
  expect(vera.asked("/introduce")).toHaveLength(1);
});

test("of two calls of identify at once the later one holds, also when the earlier request is slower on its way", async () => {
  const acme = await team();
  const vera = browser(acme);
  const { chat } = vera.page();
  await writes(chat, "Hello");
  const arrive = vera.delayNext("/introduce");
  const earlier = chat.identify({ name: "Vera" });
  const later = chat.identify({ name: "Vera Vidal" });
  // What does not wait for the earlier one is done before it.
  if (vera.asked("/introduce").length > 1) await later;
  arrive();
  await Promise.all([earlier, later]);
  expect(vera.asked("/introduce").map(({ body }) => body.name)).toEqual(["Vera", "Vera Vidal"]);
  expect((await contactOf(acme, String(chat.state.contact?.id))).name).toBe("Vera Vidal");
});

test("a page that identifies the same person twice at once asks once, and shows their chat", async () => {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const home = browser(acme).page().chat;
  await home.identify({ identity: identity(secret, "vera") });
  await writes(home, "From home");
  const work = browser(acme);
  const { chat } = work.page();
  const token = identity(secret, "vera");
  await Promise.all([chat.identify({ identity: token }), chat.identify({ identity: token })]);
  await expect.poll(() => contentsOf(chat)).toEqual(["From home"]);
  expect(work.asked("/introduce")).toHaveLength(1);
});

test("a verified visitor finds their chat in another browser; the same identity is sent once", async () => {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const home = browser(acme).page().chat;
  await home.identify({ identity: identity(secret, "vera") });
  await writes(home, "From home");

  const work = browser(acme);
  const { chat } = work.page();
  const token = identity(secret, "vera");
  await chat.identify({ identity: token });
  await expect.poll(() => contentsOf(chat)).toEqual(["From home"]);
  const next = work.page().chat;
  await next.identify({ identity: token });
  await expect.poll(() => contentsOf(next)).toEqual(["From home"]);
  expect(work.asked("/introduce")).toHaveLength(1);
  // No credential is stored that a page could use.
  expect(JSON.stringify([...work.storage.values])).not.toContain(token.split(".")[1]);
});

test("a page that does not vouch sees nothing of them: not what was said, nor what was not sent yet", async () => {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const shared = browser(acme);
  const { chat: hers } = shared.page();
  await hers.identify({ identity: identity(secret, "vera") });
  await writes(hers, "My order 4711");
  shared.lost.add("/messages");
  hers.send({ content: "and 4712" });
  await expect.poll(() => shared.asked("/messages").length).toBe(2);
  hers.close();

  const { chat: stranger } = shared.page();
  expect(stranger.state).toMatchObject({ contact: null, messages: [], outbox: [] });
  shared.lost.clear();
  await writes(stranger, "A stranger asks");
  expect(contentsOf(stranger)).toEqual(["A stranger asks"]);
  stranger.close();

  const { chat: back } = shared.page();
  await back.identify({ identity: identity(secret, "vera") });
  await expect.poll(() => contentsOf(back)).toEqual(["My order 4711", "and 4712"]);
  // Another person on the same page: her chat is gone at once.
  const hugo = back.identify({ identity: identity(secret, "hugo") });
  expect(contentsOf(back)).toEqual([]);
  await hugo;
  await writes(back, "Hugo here");
  // Also when both are known, and the answer is slow.
  const vera = back.identify({ identity: identity(secret, "vera") });
  expect(contentsOf(back)).toEqual([]);
  await vera;
  await expect.poll(() => contentsOf(back)).toEqual(["My order 4711", "and 4712"]);
});

test("the identity has expired: they are unverified until the page identifies them again", async () => {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const { chat, answers } = browser(acme).page();
  await chat.identify({ identity: identity(secret, "vera", 600) });
  await writes(chat, "My order 4711");
  clock.advance(700_000);
  chat.seen();
  chat.send({ content: "and 4712" });
  await expect.poll(() => chat.state).toMatchObject({ expired: true, contact: null, messages: [], outbox: [] });
  const late = identity(secret, "vera", -100);
  await chat.identify({ identity: late });
  expect(answers.at(-1)).toMatchObject({
    ok: false,
    status: 422,
    body: { errors: { "identity.exp": [expect.any(String)] } },
  });
  expect(chat.state).toMatchObject({ expired: true, messages: [] });
  // A refused one is not sent again.
  const before = answers.length;
  await chat.identify({ identity: late });
  expect(answers).toHaveLength(before);
  await chat.identify({ identity: identity(secret, "vera") });
  await expect.poll(() => contentsOf(chat)).toEqual(["My order 4711", "and 4712"]);
  expect(chat.state.expired).toBe(false);
});

test("a page that vouches with what has run out meanwhile finds that out, and its visitor is a stranger", async () => {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const vera = browser(acme);
  const { chat } = vera.page();
  const token = identity(secret, "vera", 600);
  await chat.identify({ identity: token });
  await writes(chat, "My order 4711");
  // On this page it was all accepted, so the next one sends no request.
  await chat.identify({ identity: token });
  chat.close();
  clock.advance(700_000);
  const { chat: late } = vera.page();
  late.identify({ identity: token });
  await expect.poll(() => late.state).toMatchObject({ expired: true, contact: null, messages: [] });
});

test("a stranger's chat becomes that of the person they turn out to be, also when the answer to that is lost", async () => {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const vera = browser(acme);
  const { chat } = vera.page();
  await writes(chat, "Do you ship to Portugal?");
  vera.lost.add("/introduce");
  await chat.identify({ identity: identity(secret, "vera") });
  chat.close();
  // Her session is verified by now; without her identity it is not accessible.
  const { chat: stranger } = vera.page();
  expect(stranger.state).toMatchObject({ contact: null, messages: [] });
  vera.lost.clear();
  const { chat: back } = vera.page();
  await back.identify({ identity: identity(secret, "vera") });
  await expect.poll(() => contentsOf(back)).toEqual(["Do you ship to Portugal?"]);
});

test("a visitor who has signed out is forgotten, and their unsent messages are not sent, whatever is answered afterwards", async () => {
  const acme = await team();
  const secret = await newIdentitySecret(acme);
  const vouchedFor = browser(acme);
  const stranger = browser(acme);
  await writes(stranger.page().chat, "Hello");
  for (const [vera, says] of [
    [vouchedFor, { identity: identity(secret, "vera") }],
    [stranger, { name: "Vera" }],
  ] as const) {
    const { chat } = vera.page();
    const before = vera.asked("/messages").length;
    const letGo = vera.hold("/introduce");
    const introduced = chat.identify(says);
    chat.send({ content: "My order 4711" });
    await expect.poll(() => vera.asked("/introduce")).toHaveLength(1);
    chat.forget();
    letGo();
    await introduced;
    await new Promise((resolve) => setImmediate(resolve));
    expect(vera.asked("/messages")).toHaveLength(before);
    expect([...vera.storage.values]).toEqual([]);
  }
});

/** How often a screen that renders after each change, as the widget does, lacked the message. */
function gapsOf(chat: VisitorChat, content: string): { count: number } {
  const gaps = { count: 0 };
  chat.subscribe(() =>
    queueMicrotask(() => {
      const { messages, outbox } = chat.state;
      if (![...messages, ...outbox].some((each) => each.content === content)) gaps.count += 1;
    }),
  );
  return gaps;
}

describe("what is written while it is asked who the visitor is", () => {
  test("stays on the screen of a browser that has not seen them before", async () => {
    const acme = await team();
    const secret = await newIdentitySecret(acme);
    const home = browser(acme).page().chat;
    await home.identify({ identity: identity(secret, "vera") });
    await writes(home, "My order 4711");

    const work = browser(acme);
    const { chat } = work.page();
    const [letGo, letChatGo] = [work.hold("/introduce"), work.hold(CHAT)];
    const introduced = chat.identify({ identity: identity(secret, "vera") });
    chat.send({ content: "and 4712" });
    const gaps = gapsOf(chat, "and 4712");
    letGo();
    await introduced;
    await expect.poll(() => chat.state.outbox).toEqual([]);
    letChatGo();
    await expect.poll(() => contentsOf(chat)).toEqual(["My order 4711", "and 4712"]);
    expect(gaps.count).toBe(0);
  });

  test("is theirs in a browser that knows them, and none of the stranger's before them", async () => {
    const acme = await team();
    const secret = await newIdentitySecret(acme);
    const vera = browser(acme);
    const { chat: before } = vera.page();
    await before.identify({ identity: identity(secret, "vera") });
    await writes(before, "My order 4711");
    before.close();
    const { chat: stranger } = vera.page();
    vera.lost.add("/messages");
    stranger.send({ content: "A stranger asks" });
    await expect.poll(() => vera.answered("/messages")).toBe(2);
    stranger.close();
    vera.lost.clear();

    const { chat } = vera.page();
    const letGo = vera.hold("/introduce");
    const introduced = chat.identify({ identity: identity(secret, "vera") });
    chat.send({ content: "and 4712" });
    const gaps = gapsOf(chat, "and 4712");
    letGo();
    await introduced;
    await expect.poll(() => contentsOf(chat)).toEqual(["My order 4711", "and 4712"]);
    expect(gaps.count).toBe(0);
    chat.close();
    const { chat: next } = vera.page();
    await expect.poll(() => contentsOf(next)).toEqual(["A stranger asks"]);
  });

  test("stays on the screen when the chat was fetched just before it was stored", async () => {
    const acme = await team();
    const vera = browser(acme);
    const { chat: before } = vera.page();
    await writes(before, "Do you ship to Portugal?");
    // Its own fetch is over, and is not counted below.
    await expect.poll(() => before.state.connection).toBe("live");
    before.close();
    const fetches = vera.answered(CHAT);
    const letGo = vera.hold(CHAT);
    const { chat } = vera.page();
    await expect.poll(() => vera.answered(CHAT)).toBe(fetches + 1);
    chat.send({ content: "And to Madeira?" });
    const gaps = gapsOf(chat, "And to Madeira?");
    await expect.poll(() => chat.state.outbox).toEqual([]);
    letGo();
    await expect.poll(() => contentsOf(chat)).toEqual(["Do you ship to Portugal?", "And to Madeira?"]);
    expect(gaps.count).toBe(0);
  });
});

test("an identity that is not taken leaves the stranger's chat as it was", async () => {
  const acme = await team();
  await newIdentitySecret(acme);
  const { chat, answers } = browser(acme).page();
  await writes(chat, "Do you ship to Portugal?");
  await chat.identify({ identity: identity("another secret", "vera") });
  expect(answers.at(-1)).toMatchObject({ ok: false, status: 422 });
  await expect.poll(() => contentsOf(chat)).toEqual(["Do you ship to Portugal?"]);
  expect(chat.state.expired).toBe(false);
  await writes(chat, "And to Madeira?");
});

test("what the page says wrongly keeps no first message from being sent", async () => {
  const acme = await team();
  const { chat, answers } = browser(acme).page();
  await chat.identify({ name: "Vera", phone: "call me" });
  await writes(chat, "Hello");
  expect(answers).toMatchObject([{ ok: false, status: 422, body: { errors: { phone: [expect.any(String)] } } }]);
  expect(chat.state.outbox).toEqual([]);
});

test("a storage key is named by the person, and a fingerprint distinguishes details without holding the identity", () => {
  const token = signedToken("secret", { sub: "väinö ☃" });
  expect(storageKeyOf("frontdesk:w", token)).toBe(
    storageKeyOf("frontdesk:w", signedToken("other", { sub: "väinö ☃" })),
  );
  expect(storageKeyOf("frontdesk:w", token)).not.toBe(
    storageKeyOf("frontdesk:w", signedToken("secret", { sub: "vera" })),
  );
  expect(storageKeyOf("frontdesk:w", "no token")).toBe("frontdesk:w@");
  expect(fingerprintOf({ name: "Vera", identity: token })).not.toContain(token.split(".")[1]);
  expect(fingerprintOf({ identity: token })).not.toBe(
    fingerprintOf({ identity: signedToken("secret", { sub: "vera" }) }),
  );
});
