/** What a client may request of the live stream (docs/decisions/0028-bounds-for-strangers.md, 0030-presence-by-team.md). */
import { once } from "node:events";
import { browser } from "@frontdesk/testing/browser-visitor";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { appOn, overTheWire } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, contactOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { blockContact, unblockContact } from "../contacts/block-contact.ts";
import { strangerBounds } from "../limits/stranger-bounds.ts";
import { REPLAY_MAX_BYTES } from "./replay-log.ts";

const { app, storage, runtime, team } = await startTestApp({ TRUST_PROXY: "1" });
const origin = await app.start();

let addresses = 0;
/** Vera, who has written, with an address of her own. */
async function veraAtAcme() {
  const acme = await team();
  const vera = browser(app, acme);
  const { body, chat } = await vera.write("Hello");
  addresses += 1;
  const headers = { "x-forwarded-for": `198.51.100.${addresses}` };
  return {
    acme,
    vera,
    chat,
    headers,
    contactId: body.contact.id as string,
    conversationId: body.message.conversation_id as string,
    comes: (more: object = {}, base = origin) =>
      listen(base, { token: vera.token, widget_id: acme.widgetId, ...more }, headers),
  };
}

const limitOf = (act: keyof typeof strangerBounds, by: string): number =>
  strangerBounds[act].bounds.find((bound) => bound.by === by)?.limit ?? Number.NaN;

const isClosed = (stream: LiveSocket, code: number) => expect.poll(() => stream.closed()?.code).toBe(code);

test("a message that has begun and does not end is cut after ten seconds; what is whole in time, and what pings between, is not", async () => {
  const timeouts = heldTimeouts();
  const base = await (await appOn({ storage, runtime, timeouts })).start();
  const { acme } = await veraAtAcme();
  const [slow, whole, half] = [await listen(base), await listen(base), await listen(base)];
  for (const stream of [slow, half, whole]) {
    stream.send({ type: "hello", token: acme.apiKey });
    await stream.heard("ready");
  }
  for (const stream of [slow, half]) {
    stream.socket.send('{"type":', { fin: false });
    stream.socket.ping();
    await once(stream.socket, "pong");
  }
  timeouts.advance(9_000);
  half.socket.send('"ping"}', { fin: true });
  await half.heard("pong");
  timeouts.advance(900);
  slow.socket.ping();
  await once(slow.socket, "pong");
  expect(slow.closed()).toBeUndefined();
  timeouts.advance(100);
  await isClosed(slow, 1006);
  whole.send({ type: "ping" });
  await whole.heard("pong");
  expect(whole.closed()).toBeUndefined();
});

test("a message of more than 8 kB is not taken in, and neither is one of more than 16 parts", async () => {
  const large = await listen(origin);
  large.socket.send("x".repeat(8_000), { fin: false });
  large.socket.send("x".repeat(8_000), { fin: true });
  await isClosed(large, 1009);
  const many = await listen(origin);
  for (let part = 0; part < 17; part += 1) many.socket.send(" ", { fin: false });
  await expect.poll(() => many.closed()).toBeDefined();
});

test("an address has so many streams at once, also such that say nothing; another address, and a place that is left, are served", async () => {
  const most = limitOf("streams", "address");
  const headers = { "x-forwarded-for": "203.0.113.1" };
  const open: LiveSocket[] = [];
  while (open.length < most)
    open.push(...(await Promise.all(Array.from({ length: 50 }, () => listen(origin, undefined, headers)))));
  const refused = new WebSocket(`${origin.replace("http", "ws")}/live`, { headers });
  const [, response] = await once(refused, "unexpected-response");
  expect([response.statusCode, response.headers["retry-after"]]).toEqual([429, "5"]);
  const { vera, acme } = await veraAtAcme();
  const events = {
    path: `/live/events?widget_id=${acme.widgetId}`,
    headers: { ...headers, authorization: `Bearer ${vera.token}` },
  };
  expect((await overTheWire(origin, events)).status).toBe(429);
  const other = await listen(origin, { token: acme.apiKey }, { "x-forwarded-for": "203.0.113.2" });
  await other.heard("ready");
  open[0]?.leave();
  await expect
    .poll(async () =>
      listen(origin, { token: acme.apiKey }, headers).then(
        (next) => next.heard("ready"),
        () => undefined,
      ),
    )
    .toBeDefined();
  for (const stream of open) stream.leave();
});

test("a token opens so many streams a minute; the next is closed with 1013, to come back later", async () => {
  const { comes } = await veraAtAcme();
  for (let n = 0; n < limitOf("hellos", "token"); n += 1) {
    const stream = await comes();
    await stream.heard("ready");
    stream.leave();
  }
  await isClosed(await comes(), 1013);
});

test("a token is sent what came before so many times a minute; after that it begins anew, as does a visitor who missed more than 512 kB", async () => {
  const { acme, chat, conversationId, comes } = await veraAtAcme();
  await adaReplies(acme, conversationId, { content: "short" });
  const { number: since, epoch } = chat;
  for (let n = 0; n < limitOf("replays", "token"); n += 1) {
    const stream = await comes({ since, epoch });
    await stream.heard("ready");
    expect(stream.frames.map(({ type }) => type).slice(0, 2)).toEqual(["event", "ready"]);
    stream.leave();
  }
  const anew = await comes({ since, epoch });
  const ready = await anew.heard("ready");
  expect(anew.frames.slice(0, 2)).toEqual([{ ...ready, type: "reset" }, ready]);

  const other = await veraAtAcme();
  const content = "€".repeat(10_000);
  const replies = Math.ceil(REPLAY_MAX_BYTES / 30_000) + 1;
  for (let n = 0; n < replies; n += 1) await adaReplies(other.acme, other.conversationId, { content });
  const missed = { since: other.chat.number, epoch };
  const late = await other.comes(missed);
  const { number } = await late.heard("ready");
  expect(late.frames.map(({ type }) => type).slice(0, 2)).toEqual(["reset", "ready"]);
  expect(number).toBe(other.chat.number + replies);
  const { body } = await overTheWire(origin, {
    path: `/live/poll?${new URLSearchParams({ widget_id: other.acme.widgetId, since: String(other.chat.number), epoch })}`,
    headers: { authorization: `Bearer ${other.vera.token}` },
  });
  expect(body.frames.map(({ type }: { type: string }) => type)).toEqual(["reset", "ready"]);
  // An agent gets all of it, since there are few agents.
  const agent = await listen(origin, { token: other.acme.apiKey, ...missed });
  await agent.heard("event", replies);
});

test("pages and typing above what a token may send in a minute are dropped, and the streams go on", async () => {
  const { acme, comes, contactId, conversationId } = await veraAtAcme();
  const most = limitOf("page-frames", "token");
  const ada = await listen(origin, { token: acme.apiKey });
  await ada.heard("ready");
  const streams = await Promise.all(Array.from({ length: 4 }, () => comes()));
  for (const stream of streams) await stream.heard("presence");
  const urls: string[] = [];
  for (const stream of streams) {
    for (let n = 0; n < most / 3; n += 1) {
      urls.push(`https://acme.test/${urls.length}`);
      stream.send({ type: "page", url: urls.at(-1), title: "" });
    }
    // A later frame on the same stream shows that the earlier ones were processed.
    stream.send({ type: "ping" });
    await stream.heard("pong");
  }
  streams[3]?.send({ type: "typing", conversation_id: conversationId, typing: true });
  await ada.heard("typing");
  const shown = () => ada.frames.flatMap(({ contacts = [] }) => contacts).findLast(({ page }) => page)?.page.url;
  await expect.poll(shown).toBe(urls[most - 1]);
  await expect.poll(async () => (await contactOf(acme, contactId)).page_visited.at(-1)?.page).toBe(urls[most - 1]);
  expect(streams.map((stream) => stream.closed())).toEqual(Array(4).fill(undefined));
});

test("the stream of a visitor who is blocked only reads: agents get nothing that it sends, until they are unblocked", async () => {
  const { acme, comes, contactId, conversationId } = await veraAtAcme();
  const ada = await listen(origin, { token: acme.apiKey });
  await ada.heard("ready");
  const stream = await comes();
  stream.send({ type: "page", url: "https://acme.test/before", title: "Before" });
  const pageOf = ({ frames }: LiveSocket) =>
    frames.flatMap(({ contacts = [] }) => contacts).findLast(({ id }: { id: string }) => id === contactId)?.page?.title;
  await expect.poll(() => pageOf(ada)).toBe("Before");
  const pages = async () => (await contactOf(acme, contactId)).page_visited.map(({ page }: { page: string }) => page);
  await expect.poll(pages).toEqual(["https://acme.test/before"]);
  await app.perform(acme.actor, blockContact, { contactId });
  await expect.poll(() => pageOf(ada)).toBeUndefined();
  const says = async (from: LiveSocket, title: string) => {
    from.send({ type: "typing", conversation_id: conversationId, typing: true });
    from.send({ type: "page", url: "https://evil.test/", title });
    from.send({ type: "ping" });
    await from.heard("pong");
  };
  await says(stream, "Insult");
  // Also one that connects anew.
  const again = await comes();
  await again.heard("presence");
  await says(again, "Insult");
  const late = await listen(origin, { token: acme.apiKey });
  expect(JSON.stringify(await late.heard("presence"))).not.toContain("evil.test");
  expect(JSON.stringify(ada.frames)).not.toMatch(/evil\.test|"typing"/);
  expect(await pages()).toEqual(["https://acme.test/before"]);
  expect(stream.closed()).toBeUndefined();

  await app.perform(acme.actor, unblockContact, { contactId });
  await expect
    .poll(
      async () => {
        stream.send({ type: "typing", conversation_id: conversationId, typing: true });
        return ada.frames.filter(({ type }) => type === "typing").length;
      },
      { interval: 500 },
    )
    .toBeGreaterThan(0);
  // Her page is shown again, and it is the first that was noted since.
  await expect.poll(() => pageOf(ada)).toBe("Insult");
  await expect.poll(pages).toEqual(["https://acme.test/before", "https://evil.test/"]);
});

test("WebSockets above the bound of an address are refused before they are made; another address is not", async () => {
  const flooding = "203.0.113.9";
  const ask = () => app.http.inject({ url: "/live", headers: { "x-forwarded-for": flooding } });
  for (let n = 0; n < limitOf("connections", "address"); n += 1) expect((await ask()).statusCode).toBe(426);
  const upgrade = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const headers = { ...upgrade, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "x-forwarded-for": flooding };
  const refused = await overTheWire(origin, { path: "/live", headers });
  expect(refused.status).toBe(429);
  expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d?$/);
  const { comes } = await veraAtAcme();
  await (await comes()).heard("ready");
});
