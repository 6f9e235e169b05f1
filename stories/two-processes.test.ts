/**
 * Two `frontdesk serve` on one PostgreSQL and one Redis, as behind a load balancer that sends each request to either
 * (docs/decisions/0012-shared-limits-in-redis.md). Reference rows 2, 5, 6, 8 and 30.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { commandInProcess } from "@frontdesk/testing/command-in-process";
import { deep, inDepth } from "@frontdesk/testing/depth";
import { type RedisServer, startRedis } from "@frontdesk/testing/redis-server";
import { query } from "@frontdesk/testing/second-app";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { type Subscriber, startSubscriber } from "../packages/server/test/attack/counting-subscriber.ts";
import { disorderIn } from "../packages/server/test/attack/disorder.ts";
import { type ServerPair, startServerPair } from "../packages/server/test/attack/server-pair.ts";
import type { ServerProcess, SetUpTeam } from "../packages/server/test/attack/server-process.ts";
import { twoSenders } from "../packages/server/test/attack/two-senders.ts";
import { root } from "./house/source-files.ts";

const FRONTDESK = join(root, "packages/server/bin/frontdesk.mjs");
const LIMIT = 60;
/** Concurrent writers. */
const LANES = 8;
const EVENTS = inDepth(300, 1_000);

let redis: RedisServer;
let subscriber: Subscriber;
/** Two without rate limits; each test has its own team. */
let busy: ServerPair;
let removeBusy: () => Promise<void>;
beforeAll(async () => {
  redis = await startRedis();
  subscriber = await startSubscriber();
  const shared = { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: "10000", ...subscriber.settings };
  ({ servers: busy, remove: removeBusy } = await newPair(shared));
});
afterAll(async () => {
  await removeBusy();
  await subscriber.close();
  await redis.kill();
});

/** Both of the pair, which a test may have killed. */
async function bothRunning(): Promise<ServerPair> {
  for (const server of busy) if (!server.running()) await server.start();
  return busy;
}

test("60 requests a minute pass over both processes together; the 61st is 429, whichever of them answers", async () => {
  const servers = await pair({ REDIS_URL: redis.url, REDIS_TIMEOUT_MS: "10000", REST_RATE_LIMIT: String(LIMIT) });
  const acme = await servers[0].team("Acme");
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, index) => call(servers[index % 2] as ServerProcess, acme, "/widgets")),
  );
  const passed = answers.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(LIMIT);
  const remaining = passed.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  expect(remaining.toSorted((a, b) => b - a)).toEqual(Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index));
  for (const server of servers) {
    const refused = await call(server, acme, "/widgets");
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    // The rest of the minute that the first request began.
    expect(wait).toBeGreaterThanOrEqual(Math.floor(60 - (performance.now() - began) / 1_000));
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  }
  // Another key has its own minute.
  expect((await call(servers[1], await servers[1].team("Sams"), "/widgets")).status).toBe(200);
  expect(servers.map((server) => server.log())).toEqual(["", ""]);
});

test.runIf(deep)("without REDIS_URL each process counts for itself", async () => {
  const servers = await pair({ REST_RATE_LIMIT: "3" });
  const acme = await servers[0].team("Acme");
  for (const server of servers) {
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push((await call(server, acme, "/widgets")).status);
    expect(answers).toEqual([200, 200, 200, 429]);
  }
});

test("one Idempotency-Key sent to both at the same time has one effect and one answer", async () => {
  const servers = await bothRunning();
  const acme = await servers[0].team("Once");
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const answers = await Promise.all(
    keys.map((key) =>
      Promise.all(servers.map((server) => say(server, acme, `Once, ${key}`, { "idempotency-key": key }))),
    ),
  );
  for (const [first, second] of answers as [Answer, Answer][]) {
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    const replayed = [first, second].map(({ headers }) => headers.get("idempotent-replayed"));
    expect(replayed.filter((said) => said === "true")).toHaveLength(1);
  }
  for (const server of servers) {
    const { body } = await call(server, acme, "/conversations/all?limit=100");
    expect(body.meta.pagination.total).toBe(keys.length);
  }
  expect(await disorderOf(servers[0])).toEqual([]);
});

test("writes through both are numbered without a gap in the order of their commits, and the totals are right", async () => {
  const servers = await bothRunning();
  const acme = await servers[0].team("Order");
  const writes = new Map<string, { sent: number; answered: number }>();
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (let count = 0; count < 25; count += 1) {
        const sent = performance.now();
        const { status, body } = await say(servers[(lane + count) % 2] as ServerProcess, acme, `Word ${lane}.${count}`);
        expect(status).toBe(200);
        writes.set(body.data.id, { sent, answered: performance.now() });
        // What one has answered, the other returns.
        if (count % 10 === 0) {
          const path = `/conversations/${body.data.attributes.conversation_id}/messages`;
          const seen = await call(servers[(lane + count + 1) % 2] as ServerProcess, acme, path);
          expect(seen.body.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id]);
        }
      }
    }),
  );
  expect(await disorderOf(servers[0])).toEqual([]);

  // An event never comes after one whose write was only sent when its own was answered.
  let latestSent = 0;
  for (const id of await messagesInOrderOfEvents(servers[0], acme)) {
    const { sent, answered } = writes.get(id) ?? { sent: 0, answered: 0 };
    expect(answered).toBeGreaterThan(latestSent);
    latestSent = Math.max(latestSent, sent);
    writes.delete(id);
  }
  expect(writes.size).toBe(0);
  for (const server of servers) {
    const { body } = await call(server, acme, "/contacts");
    expect(body.meta.pagination.total).toBe(LANES * 25);
  }
});

test("many events that both deliver, now one and now the other, come once each and in order", async () => {
  const servers = await bothRunning();
  const report = await twoSenders(servers, subscriber, EVENTS);
  expect(report.problems).toEqual([]);
  // The premise: each of them had its share.
  expect(Math.min(...report.sentBy)).toBeGreaterThan(EVENTS / 10);
  expect(report.deliveries).toBeGreaterThanOrEqual(EVENTS);
});

test("a key that is made, and a team that is switched off, by the command line act on both servers", async () => {
  const servers = await bothRunning();
  const acme = await servers[0].team("Keys");
  for (const server of servers) expect((await call(server, acme, "/widgets")).status).toBe(200);

  const made = await command(servers[0], "key", "create", "--team", acme.teamId, "--name", "second");
  const second = { ...acme, apiKey: String(made.api_key) };
  for (const server of servers) expect((await call(server, second, "/widgets")).status).toBe(200);

  // PostgreSQL notifies the servers separately from the command's answer: on a busy machine slightly later.
  const answers = () =>
    Promise.all(servers.flatMap((server) => [acme, second].map((key) => call(server, key, "/widgets"))));
  const statuses = async () => (await answers()).map(({ status }) => status);
  await command(servers[0], "team", "update", acme.teamId, "--api-access", "off");
  await expect.poll(statuses).toEqual([403, 403, 403, 403]);
  await command(servers[0], "team", "update", acme.teamId, "--api-access", "on");
  await expect.poll(statuses).toEqual([200, 200, 200, 200]);
});

test("one process is killed outright under load: the other goes on, and everything that was answered is there", async () => {
  const [killed, other] = await bothRunning();
  const acme = await killed.team("Load");
  const answered: string[] = [];
  const failures: string[] = [];
  let afterTheKill = 0;
  let done = false;
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const server = lane % 2 === 0 ? killed : other;
    for (let count = 0; !done; count += 1) {
      const answer = await say(server, acme, `Word ${lane}.${count}`).catch(() => undefined);
      if (answer?.status === 200) {
        answered.push(answer.body.data.id);
        if (server === other && !killed.running()) afterTheKill += 1;
      } else if (server === other) failures.push(`${answer?.status} ${JSON.stringify(answer?.body)}`);
      else if (!killed.running()) return;
    }
  });
  await expect.poll(() => answered.length).toBeGreaterThan(50);
  await killed.kill();
  await expect.poll(() => afterTheKill).toBeGreaterThan(50);
  done = true;
  await Promise.all(lanes);

  expect(failures).toEqual([]);
  expect(await disorderOf(killed)).toEqual([]);
  const stored = new Set(await messagesInOrderOfEvents(killed, acme));
  expect(answered.filter((id) => !stored.has(id))).toEqual([]);
  expect((await call(other, acme, "/contacts")).body.meta.pagination.total).toBe(stored.size);
});

test.runIf(deep)(
  "a process stops when it is asked to, with Redis there, hanging or gone, and one that cannot listen ends",
  async () => {
    const server = await startRedis();
    onTestFinished(() => server.kill());
    const [one, two] = await pair({ REDIS_URL: server.url });
    expect(await one.stop()).toBe(0);

    server.pause();
    const acme = await two.team("Acme");
    expect((await call(two, acme, "/widgets")).status).toBe(200);
    expect(two.log()).toContain("Redis is unreachable");
    expect(await two.stop()).toBe(0);

    server.resume();
    await one.start();
    const env = { ...environmentOf(two), PORT: new URL(one.origin).port };
    await expect(promisify(execFile)(process.execPath, [FRONTDESK, "serve", "--json"], { env })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining("is already in use"),
    });
    await server.kill();
    expect((await call(one, acme, "/widgets")).status).toBe(200);
    expect(await one.stop()).toBe(0);
  },
);

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  body: any;
}

/** The settings that two processes share, for the command line. */
const environments = new Map<ServerProcess, Record<string, string>>();

/** Two servers for one test. */
async function pair(settings: Record<string, string>): Promise<ServerPair> {
  const { servers, remove } = await newPair(settings);
  onTestFinished(remove);
  return servers;
}

async function newPair(settings: Record<string, string>) {
  const pair = await startServerPair(inject("postgresUrl"), settings);
  for (const server of pair.servers) environments.set(server, pair.settings);
  return pair;
}

/** The environment of a command beside this server. */
const environmentOf = (server: ServerProcess) => ({
  ...{ PATH: process.env.PATH, DATA_DIR: server.dataDir },
  ...environments.get(server),
});

const command = (server: ServerProcess, ...args: string[]) => commandInProcess(args, environmentOf(server));

async function call(server: ServerProcess, team: SetUpTeam, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { "x-api-key": team.apiKey, ...(init.headers as Record<string, string>) };
  const answer = await fetch(`${server.origin}/api/v1${path}`, { ...init, headers });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** A message of a new visitor. */
function say(server: ServerProcess, team: SetUpTeam, content: string, headers: Record<string, string> = {}) {
  return call(server, team, "/conversations", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ widget_id: team.widgetId, content }),
  });
}

async function disorderOf(server: ServerProcess): Promise<string[]> {
  const storage = server.open();
  try {
    return await disorderIn(storage);
  } finally {
    await storage.close();
  }
}

/** The ids of the messages in the team's log, in order. */
async function messagesInOrderOfEvents(server: ServerProcess, { teamId }: SetUpTeam): Promise<string[]> {
  const storage = server.open();
  try {
    const rows = await query(
      storage,
      `SELECT data FROM events WHERE team_id = '${teamId}' AND name = 'message.received' ORDER BY number`,
    );
    return rows.map(({ data }) => JSON.parse(String(data)).message.id);
  } finally {
    await storage.close();
  }
}
