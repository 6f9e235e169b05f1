/** The live stream where a WebSocket does not get through: server-sent events and polling (docs/decisions/0020-live-stream.md). */

import { LivePoll } from "@frontdesk/core/contract/live";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser, newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { type Frame, listen } from "@frontdesk/testing/live-client";
import { listenToEvents } from "@frontdesk/testing/live-client-sse";
import { overTheWire } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { updateTeam } from "../teams/update-team.ts";

const { app, team } = await startTestApp();
const origin = await app.start();

/** Vera, who has written, and the answer to it. */
async function veraAtAcme() {
  const acme = await team();
  const vera = browser(app, acme);
  const { body, chat } = await vera.write("Do you ship to Portugal?");
  return { acme, vera, conversationId: body.message.conversation_id as string, chat };
}

const poll = (token: string, query: Record<string, string> = {}) =>
  overTheWire(origin, {
    path: `/live/poll?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${token}` },
  });

const events = (frames: Frame[]) =>
  frames.filter(({ type }) => type === "event").map(({ id: _, ...event }: Frame) => event);

test("server-sent events and polls carry the events of the WebSocket, under the same numbers", async () => {
  const { acme, vera, conversationId, chat } = await veraAtAcme();
  const since = String(chat.number);
  const socket = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  const stream = await listenToEvents(origin, { token: vera.token, query: { widget_id: acme.widgetId } });
  const ofTeam = await listenToEvents(origin, { token: acme.apiKey });
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  expect(stream.headers.get("cache-control")).toBe("no-store");
  for (const each of [socket, stream, ofTeam]) await each.heard("ready");
  await adaReplies(acme, conversationId, { content: "We do." });
  await adaReplies(acme, conversationId, { content: "Nervous.", type: "note" });
  await adaReplies(acme, conversationId, { content: "By sea." });
  await socket.heard("event", 2);
  await stream.heard("event", 2);
  expect(events(stream.frames)).toEqual(socket.events());
  await ofTeam.heard("event", 3);
  expect(stream.frames.find(({ type }) => type === "event").id).toBe(`${chat.epoch}:${chat.number + 1}`);

  const { body } = await poll(vera.token, { widget_id: acme.widgetId, since, epoch: chat.epoch });
  expect(problemsOf(LivePoll, body)).toEqual([]);
  expect(body.has_more).toBe(false);
  expect(events(body.frames).map(({ number, message }) => [number, message])).toEqual(
    socket.events().map(({ number, message }) => [number, message]),
  );
  expect(body.frames.at(-1)).toEqual({ type: "ready", number: chat.number + 3, epoch: chat.epoch });

  // Where a client resumes: `Last-Event-ID` counts, and not the address that it was first opened with.
  const back = await listenToEvents(origin, {
    token: vera.token,
    query: { widget_id: acme.widgetId, since, epoch: chat.epoch },
    headers: { "last-event-id": `${chat.epoch}:${chat.number + 1}` },
  });
  await back.heard("ready");
  expect(events(back.frames).map(({ message }) => message.content)).toEqual(["By sea."]);
  for (const each of [stream, ofTeam, back]) each.leave();
});

test.each(["/live/events", "/live/poll"])(
  "%s answers a client that may not listen with a status, and nothing else",
  async (path) => {
    const { acme, vera } = await veraAtAcme();
    const ask = (headers: Record<string, string>, query = "") =>
      overTheWire(origin, { path: `${path}${query}`, headers });
    const widget = `?widget_id=${acme.widgetId}`;
    expect(await ask({})).toMatchObject({ status: 401 });
    expect(await ask({ authorization: `Bearer ${newVisitorToken()}` }, widget)).toMatchObject({ status: 401 });
    expect(await ask({ authorization: "Bearer fd_key_no" })).toMatchObject({ status: 401 });
    expect(await ask({ authorization: `Bearer ${vera.token}` })).toMatchObject({ status: 404 });
    expect(await ask({ authorization: `Bearer ${vera.token}` }, `${widget}&since=soon`)).toMatchObject({ status: 422 });
    const few = await team({ scopes: ["contacts:read"] });
    expect(await ask({ authorization: `Bearer ${few.apiKey}` })).toMatchObject({ status: 403 });
    expect(await ask({ authorization: `Bearer ${vera.token}`, origin: "https://evil.test" }, widget)).toMatchObject({
      status: 403,
    });
  },
);

test("a poll of more than a page says that there is more, and another log begins anew", async () => {
  const { acme, conversationId, chat } = await veraAtAcme();
  await Promise.all(Array.from({ length: 250 }, () => adaReplies(acme, conversationId)));
  const numbers: number[] = [];
  let since = chat.number;
  for (let more = true; more; ) {
    const { body } = await poll(acme.apiKey, { since: String(since), epoch: chat.epoch });
    numbers.push(...events(body.frames).map(({ number }) => number));
    since = body.frames.at(-1).number;
    more = body.has_more;
  }
  expect(numbers).toEqual(Array.from({ length: 250 }, (_, index) => chat.number + 1 + index));
  const [reset, ready] = (await poll(acme.apiKey, { since: "3", epoch: "another" })).body.frames;
  expect([reset, ready]).toMatchObject([{ type: "reset" }, { type: "ready", number: chat.number + 250 }]);
  const first = await poll(acme.apiKey);
  expect(first.body).toEqual({ frames: [ready], has_more: false });
});

test("a stream of events whose key ends says why, and ends", async () => {
  const { acme } = await veraAtAcme();
  const stream = await listenToEvents(origin, { token: acme.apiKey });
  await stream.heard("ready");
  await app.perform(acme.actor, updateTeam, { apiAccess: false });
  await expect.poll(() => stream.ended()).toBe(true);
  expect(stream.closed()).toMatchObject({ code: 4001 });
});

test("streams of events end when the server stops", async () => {
  const other = await startTestApp();
  const base = await other.app.start();
  const acme: TestTeam = await other.team();
  const stream = await listenToEvents(base, { token: acme.apiKey });
  await stream.heard("ready");
  await other.app.close();
  await expect.poll(() => stream.closed()).toMatchObject({ code: 1012 });
});
