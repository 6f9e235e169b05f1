/** Finding 3 of the test from outside; docs/decisions/0028-bounds-for-strangers.md. */
import { randomUUID } from "node:crypto";
import { browser } from "@frontdesk/testing/browser-visitor";
import { startRedis } from "@frontdesk/testing/redis-server";
import { appOn } from "@frontdesk/testing/second-app";
import { engine, startTestApp } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { sharedLimits } from "../../limits/shared-limits.ts";
import { createStrangerBounds } from "../../limits/stranger-bounds.ts";
import { DISK_RESERVE_BYTES } from "../../storage/disk-reserve.ts";

const { app, storage, runtime, team } = await startTestApp();

let addresses = 0;
/** An address of this test's own. */
function newAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

const REFUSED = {
  status: 429,
  headers: { "retry-after": expect.stringMatching(/^[1-9]\d*$/) },
  body: { message: "Too many requests. Please wait a moment and try again." },
};

test("an address writes 256 kB a minute, by however many visitors; another address is not touched", async () => {
  const acme = await team();
  const address = newAddress();
  const statuses: number[] = [];
  for (let visitor = 0; visitor < 5; visitor += 1) {
    const vera = browser(app, acme, { address });
    for (let count = 0; count < 8; count += 1) statuses.push((await vera.say("x".repeat(10_000))).status);
  }
  // 10,000 characters and their frame are 20 steps of 512 bytes.
  expect(statuses.filter((status) => status === 201)).toHaveLength(25);
  expect(new Set(statuses)).toEqual(new Set([201, 429]));
  expect(await browser(app, acme, { address }).say("x".repeat(10_000))).toMatchObject(REFUSED);
  expect((await browser(app, acme, { address: newAddress() }).say("Hello")).status).toBe(201);
});

test("a visitor writes 60 messages a minute, and others behind the same address go on", async () => {
  const acme = await team();
  const address = newAddress();
  const [vera, hugo] = [browser(app, acme, { address }), browser(app, acme, { address })];
  // The first one creates the session.
  for (let count = 0; count < 61; count += 1) expect((await vera.say("Hello")).status).toBe(201);
  expect(await vera.say("Hello")).toMatchObject(REFUSED);
  expect((await hugo.say("Hello")).status).toBe(201);
  expect((await vera.chat()).status).toBe(200);
});

test("made-up tokens are counted by their address, and give no visitor a limit back", async () => {
  const acme = await team();
  const address = newAddress();
  const vera = browser(app, acme, { address });
  await vera.say("Hello");
  for (let count = 0; count < 119; count += 1) await vera.chat();
  expect((await vera.chat()).status).toBe(200);
  expect(await vera.chat()).toMatchObject(REFUSED);
  const statuses: number[] = [];
  for (let count = 0; count < 700; count += 1) statuses.push((await browser(app, acme, { address }).chat()).status);
  // Vera's first message had an unknown token as well.
  expect(statuses.filter((status) => status === 401)).toHaveLength(599);
  expect(statuses.lastIndexOf(401)).toBe(598);
  expect(await vera.chat()).toMatchObject(REFUSED);
});

test("a known visitor is answered from an address that has tried too many tokens, malformed ones and widgets", async () => {
  const acme = await team();
  const address = newAddress();
  const vera = browser(app, acme, { address });
  await vera.say("Hello");
  const strangers = [
    browser(app, acme, { address, token: "fd_visitor_short" }),
    browser(app, { widgetId: randomUUID() }, { address }),
  ];
  const statuses = new Set<number>();
  for (let count = 0; count < 400; count += 1)
    for (const stranger of strangers) statuses.add((await stranger.chat()).status);
  expect(statuses).toEqual(new Set([401, 404, 429]));
  expect((await vera.chat()).status).toBe(200);
});

test("an address brings 30 new visitors a minute", async () => {
  const acme = await team();
  const address = newAddress();
  for (let count = 0; count < 30; count += 1)
    expect((await browser(app, acme, { address }).say("Hello")).status).toBe(201);
  expect(await browser(app, acme, { address }).say("Hello")).toMatchObject(REFUSED);
  expect((await browser(app, acme, { address: newAddress() }).say("Hello")).status).toBe(201);
});

test("an office of 30 people who write five messages a minute each, and read the answers, is never refused", async () => {
  const acme = await team();
  const address = newAddress();
  const people = Array.from({ length: 30 }, () => browser(app, acme, { address }));
  for (let round = 0; round < 5; round += 1) {
    for (const person of people) {
      const { status, body } = await person.say(`A question of the usual length, number ${round}. `.repeat(4));
      expect(status).toBe(201);
      expect((await person.chat()).status).toBe(200);
      const { conversation_id, sort_number } = body.message;
      expect((await person.seen(conversation_id, sort_number)).status).toBe(200);
    }
  }
});

test("a team that many addresses have filled for this hour answers 503, over all processes; other teams go on", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const limits = sharedLimits({ timeoutMs: 30_000, redisUrl: redis.url, logger: pino({ level: "silent" }) });
  onTestFinished(() => limits.close());
  await limits.open();
  const [acme, sams] = [await team(), await team()];
  await createStrangerBounds({ limits, factor: 1, uploadMaxBytes: 1 }).take(
    { team: acme.teamId },
    { messages: 36_000 },
  );
  const second = await appOn({ storage, runtime, env: { REDIS_URL: redis.url } });
  await second.start();
  expect(await browser(second, acme, { address: newAddress() }).say("Hello")).toMatchObject({
    status: 503,
    headers: { "retry-after": expect.stringMatching(/^[1-9]\d*$/) },
    body: { message: "This team is receiving too many messages right now. Please try again later." },
  });
  expect((await browser(second, sams, { address: newAddress() }).say("Hello")).status).toBe(201);
});

test("on a disk that is almost full visitors write nothing more, read on, and the team writes; with room again all is well", async () => {
  const acme = await team();
  const log: string[] = [];
  let free = DISK_RESERVE_BYTES;
  const small = await appOn({
    storage,
    runtime,
    logger: pino({ level: "info" }, { write: (line) => void log.push(JSON.parse(line).msg) }),
    disk: { free: async () => free },
  });
  const vera = browser(small, acme, { address: newAddress() });
  const { conversation_id } = (await vera.say("Hello")).body.message;
  free -= 1;
  // The embedded database lies on this disk; where PostgreSQL keeps its data is not ours to see.
  if (engine === "sqlite") {
    for (const asked of [vera.say("Hello?"), vera.seen(conversation_id, 1), vera.ask("POST", "/introduce", {})]) {
      expect(await asked).toMatchObject({
        status: 503,
        headers: { "retry-after": "60" },
        body: { message: "Messages cannot be stored right now. Please try again later." },
      });
    }
    expect((await vera.chat()).body.messages).toHaveLength(1);
  } else {
    expect((await vera.say("Hello?")).status).toBe(201);
  }
  expect((await acme.post("/messages", { conversation_id, content: "Hello Vera." })).status).toBe(201);
  free += 1;
  expect((await vera.say("Hello again")).status).toBe(201);
  const told = log.filter((line) => /disk/.test(line));
  expect(told).toEqual(
    engine === "sqlite"
      ? [
          "The disk is almost full. Messages from visitors are refused.",
          "The disk has free space again. Visitors can write.",
        ]
      : [],
  );
});
