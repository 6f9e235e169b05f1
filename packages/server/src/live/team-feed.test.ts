/** A feed while watchers join and leave during a read (docs/decisions/0020-live-stream.md). */
import { apiKeyScopes } from "@frontdesk/core/domain/policy";
import type { Frame } from "@frontdesk/testing/live-client";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { expect, onTestFinished, test } from "vitest";
import { createBus } from "../events/bus.ts";
import { readLog } from "../events/read-log.ts";
import type { Viewer } from "./audience.ts";
import { createTeamFeeds } from "./team-feeds.ts";
import type { Watcher } from "./watchers.ts";

const { app, team } = await startTestApp();

/** Feeds whose reads can be held before they return. */
async function heldFeeds() {
  const acme = await team();
  const vera = await veraWrites(acme);
  const bus = createBus();
  let held: Promise<void> | undefined;
  let readings = 0;
  const feeds = createTeamFeeds({
    bus,
    onTrouble(error) {
      throw error;
    },
    onSent() {},
    async readLog(teamId, request) {
      const page = await app.perform({ kind: "system", teamId }, readLog, request);
      if (!request.withBounds) readings += 1;
      if (!request.withBounds) await held;
      return page;
    },
  });
  onTestFinished(feeds.stop);
  const watch = async (viewer: Viewer) => {
    const frames: Frame[] = [];
    const ignored = { recheck: () => {}, widgetRemoved: () => {} };
    const watcher: Watcher = { viewer, at: 0, send: (frame) => frames.push(JSON.parse(frame)), ...ignored };
    const seat = feeds.open(acme.teamId, watcher);
    const page = await seat.read(Number.MAX_SAFE_INTEGER);
    watcher.at = page.bounds.current;
    return { frames, seat, watcher };
  };
  return {
    acme,
    vera,
    feeds,
    watch,
    ofTeam: () => watch({ kind: "agent", scopes: apiKeyScopes }),
    ofVera: () => watch({ kind: "visitor", contactId: vera.contactId }),
    /** Holds the next read; resolves when it is about to return. Answers a function that releases it. */
    async hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      const before = readings;
      bus.publish(acme.teamId);
      await expect.poll(() => readings).toBeGreaterThan(before);
      held = undefined;
      return () => release();
    },
  };
}

test("a subscriber that has read pending events itself does not get them again", async () => {
  const { acme, vera, ofTeam, hold } = await heldFeeds();
  const first = await ofTeam();
  expect(first.seat.join()).toBe(true);
  await adaReplies(acme, vera.conversationId, { content: "One." });
  const release = await hold();
  // She begins after that reply, while the feed has not handed it out yet.
  const second = await ofTeam();
  expect(second.seat.join()).toBe(true);
  release();
  await expect.poll(() => first.frames.length).toBe(1);
  await adaReplies(acme, vera.conversationId, { content: "Two." });
  await (await hold())();
  await expect.poll(() => first.frames.map(({ message }) => message.content)).toEqual(["One.", "Two."]);
  expect(second.frames.map(({ message }) => message.content)).toEqual(["Two."]);
});

test("a subscriber that joins during a read gets all of it in the detail that it sees", async () => {
  const { acme, vera, ofTeam, ofVera, hold } = await heldFeeds();
  const visitor = await ofVera();
  expect(visitor.seat.join()).toBe(true);
  const agent = await ofTeam();
  await adaReplies(acme, vera.conversationId, { content: "One." });
  const release = await hold();
  expect(agent.seat.join()).toBe(true);
  release();
  await expect.poll(() => agent.frames.length).toBe(1);
  expect(agent.frames[0]).toMatchObject({ message: { sent_via: "api" }, conversation: { message_count: 2 } });
  expect(visitor.frames).toHaveLength(1);
});

test("a subscriber that is behind the feed has to read on before it joins", async () => {
  const { acme, vera, ofTeam, hold } = await heldFeeds();
  const first = await ofTeam();
  first.seat.join();
  const late = await ofTeam();
  await adaReplies(acme, vera.conversationId);
  (await hold())();
  await expect.poll(() => first.frames.length).toBe(1);
  expect(late.seat.join()).toBe(false);
  const page = await late.seat.read(late.watcher.at);
  expect(page.frames).toHaveLength(1);
  late.watcher.at = page.through;
  expect(late.seat.join()).toBe(true);
  expect(late.frames).toEqual([]);
});

test("a subscriber that has left gets nothing more, and a feed without subscribers does not read", async () => {
  const { acme, vera, ofTeam, feeds, hold } = await heldFeeds();
  const only = await ofTeam();
  only.seat.join();
  await adaReplies(acme, vera.conversationId);
  const release = await hold();
  only.seat.leave();
  release();
  const next = await ofTeam();
  expect(next.seat.join()).toBe(true);
  await adaReplies(acme, vera.conversationId);
  (await hold())();
  await expect.poll(() => next.frames.length).toBe(1);
  expect(only.frames).toEqual([]);
  feeds.stop();
});
