/** What a stream does when something is slow or gets lost (docs/decisions/0020-live-stream.md). */

import { type Frame, listen } from "@frontdesk/testing/live-client";
import { listenToEvents } from "@frontdesk/testing/live-client-sse";
import { listenBeside } from "@frontdesk/testing/mcp-app";
import { startRedis } from "@frontdesk/testing/redis-server";
import { appOn } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { app, storage, runtime, team } = await startTestApp();
const origin = await app.start();

const numbersOf = ({ frames }: { frames: Frame[] }): number[] =>
  frames.filter(({ type }) => type === "event").map(({ number }) => number);
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + 1 + index);

/** A reader that can take a rest, over each transport. */
const readers = {
  async "a WebSocket"(token: string) {
    const stream = await listen(origin, { token });
    return { ...stream, pause: () => stream.socket.pause(), resume: () => stream.socket.resume() };
  },
  "server-sent events": (token: string) => listenToEvents(origin, { token }),
};

test.each(Object.entries(readers))(
  "a reader of %s who takes nothing is closed with 4008, delays no other, and loses nothing when it comes back",
  async (_, read) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const [slow, quick] = [await read(acme.apiKey), await listen(origin, { token: acme.apiKey })];
    const { number, epoch } = await slow.heard("ready");
    await quick.heard("ready");
    slow.pause();
    const content = "We do. ".repeat(1_400);
    let written = number;
    const metric = async () =>
      /^frontdesk_live_events_total (\d+)/m.exec(await (await fetch(`${origin}/metrics`)).text())?.[1];
    for (let sentBefore = -1; ; ) {
      await Promise.all(Array.from({ length: 50 }, () => adaReplies(acme, conversationId, { content })));
      written += 50;
      await expect.poll(() => quick.events().at(-1)?.number).toBe(written);
      // Closed: only one stream gets the events.
      const sent = Number(await metric());
      if (sentBefore >= 0 && sent - sentBefore === 50) break;
      sentBefore = sent;
    }
    expect(numbersOf(quick)).toEqual(upTo(number, written));
    slow.resume();
    await expect.poll(() => slow.closed()?.code).toBe(4008);
    const heard = numbersOf(slow);
    expect(heard.length).toBeLessThan(written - number);
    const back = await listen(origin, { token: acme.apiKey, since: heard.at(-1) ?? number, epoch });
    await back.heard("ready");
    expect([...heard, ...numbersOf(back)]).toEqual(upTo(number, written));
  },
);

test("a process without signals polls by itself, and misses nothing", async () => {
  // Another process of the same data, without a Redis: writes of the first one wake no stream here.
  const other = await appOn({ storage, runtime });
  const woken: string[] = [];
  other.bus.subscribe((teamId) => woken.push(teamId));
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const stream = await listen(await other.start(), { token: acme.apiKey });
  const { number } = await stream.heard("ready");
  for (let n = 1; n <= 5; n += 1) await adaReplies(acme, conversationId);
  await stream.heard("event", 5);
  expect(numbersOf(stream)).toEqual(upTo(number, number + 5));
  expect(woken).toEqual([]);
});

test("processes wake one another by Redis, and go on without it", async () => {
  const redis = await startRedis();
  const env = { REDIS_URL: redis.url };
  const [one, two] = [
    await listenBeside({ storage, runtime }, { env }),
    await listenBeside({ storage, runtime }, { env }),
  ];
  const woken: string[] = [];
  two.app.bus.subscribe((teamId) => woken.push(teamId));
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const stream = await listen(two.origin, { token: acme.apiKey });
  const { number } = await stream.heard("ready");
  const write = () =>
    fetch(`${one.origin}/api/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": acme.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ conversation_id: conversationId, content: "We do." }),
    });
  let written = 0;
  const writeUntilWoken = async () => {
    woken.length = 0;
    await expect
      .poll(
        async () => {
          expect((await write()).status).toBe(201);
          written += 1;
          return woken.includes(acme.teamId);
        },
        { interval: 100 },
      )
      .toBe(true);
  };
  await writeUntilWoken();
  await redis.kill();
  for (let n = 1; n <= 3; n += 1, written += 1) expect((await write()).status).toBe(201);
  await expect.poll(() => stream.events().length).toBe(written);
  await redis.restart();
  await writeUntilWoken();
  await expect.poll(() => stream.events().length).toBe(written);
  expect(numbersOf(stream)).toEqual(upTo(number, number + written));
  stream.leave();
  await redis.kill();
});
