/**
 * How many attempts a process has under way over all endpoints, and an event for many of them (docs/decisions/0014; reference
 * row 15). The test replaces the outbound requests: 256 TLS handshakes at once, both ends of each, take a busy machine longer
 * than the 4 seconds of an attempt.
 */
import { DEFAULT_RETRY_WAITS_MS } from "@frontdesk/core/domain/retry-schedule";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";
import type { PostOutcome } from "../outbound/post.ts";
import { createPerform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { createWebhookReceiver } from "../webhooks/webhook-receiver.ts";
import { createOutboxWorker } from "./outbox-worker.ts";

// The apps do not run; the worker of a test sends all that is in its storage.
const [ofSlots, ofMany] = [await startTestApp(), await startTestApp()];

test("256 are under way at once, half of them for endpoints that fail; one that works is served meanwhile", async () => {
  const { team, storage, runtime } = ofSlots;
  const acme = await team();
  const subscribe = (host: string) =>
    acme.post("/webhooks", { endpoint_url: `https://${host}/`, events: ["message.received"] });
  for (let number = 0; number < 80; number += 1) await subscribe(`failing-${number}.test`);
  for (let visitor = 0; visitor < 10; visitor += 1) await veraWrites(acme);

  const underWay = new Map<(outcome: PostOutcome) => void, string>();
  let most = 0;
  const webhook = createWebhookReceiver({
    runtime,
    waits: DEFAULT_RETRY_WAITS_MS,
    outbound: {
      post: ({ url }) =>
        new Promise((resolve) => {
          underWay.set(resolve, url.hostname);
          most = Math.max(most, underWay.size);
        }),
      close: () => {},
    },
  });
  const worker = createOutboxWorker({ storage, runtime, receivers: { webhook }, logger: pino({ level: "silent" }) });
  const answerAll = (status: number) => {
    const asked = [...underWay.keys()];
    underWay.clear();
    const answer = { responseHead: {}, responseBody: Buffer.alloc(0), isWhole: true, durationMs: 1 };
    for (const resolve of asked) resolve({ outcome: "answered", status, ...answer });
  };
  onTestFinished(async () => {
    const stopped = worker.stop();
    const draining = setInterval(() => answerAll(200), 5);
    await stopped;
    clearInterval(draining);
  });

  worker.start();
  // 64 of them, with four each.
  await expect.poll(() => underWay.size).toBe(256);
  answerAll(503);
  // Now these have two each, and the 16 that had to wait have their four.
  await expect.poll(() => underWay.size).toBe(64 * 2 + 16 * 4);
  answerAll(503);
  // All 80 would have two each.
  await expect.poll(() => underWay.size).toBe(128);

  const { body } = await subscribe("working.test");
  for (let visitor = 0; visitor < 10; visitor += 1) await veraWrites(acme);
  // As a running app does: a queue that was found after the first three messages is not looked at again while it is busy.
  worker.wake(acme.teamId, [{ queueId: body.data.id, receiver: "webhook" }]);
  await expect.poll(() => [...underWay.values()].filter((host) => host === "working.test").length).toBe(4);
  expect(underWay.size).toBe(128 + 4);
  expect(most).toBe(256);
});

test("an event for 500 subscriptions is queued for all of them in its own commit, and sent to each once", async () => {
  const { team, storage, runtime } = ofMany;
  const acme = await team();
  for (let number = 0; number < 500; number += 1) {
    await acme.post("/webhooks", { endpoint_url: `https://${number}.test/`, events: ["message.received"] });
  }
  let writes = 0;
  const counting: Storage["write"] = (...asked) => {
    writes += 1;
    return storage.write(...asked);
  };
  const perform = createPerform({ ...storage, write: counting }, runtime);
  await perform(acme.actor, receiveVisitorMessage, { widgetId: acme.widgetId, content: "Hello?" });
  expect(writes).toBe(1);
  const inState = async () => {
    const text = `SELECT state, count(*) AS total FROM outbox_items WHERE team_id = '${acme.teamId}' GROUP BY state`;
    return Object.fromEntries((await query(storage, text)).map(({ state, total }) => [state, Number(total)]));
  };
  expect(await inState()).toEqual({ waiting: 500 });

  const hosts: string[] = [];
  const bodies = new Set<string>();
  const webhook = createWebhookReceiver({
    runtime,
    waits: DEFAULT_RETRY_WAITS_MS,
    outbound: {
      async post({ url, body }) {
        hosts.push(url.hostname);
        bodies.add(Buffer.from(body).toString());
        return {
          outcome: "answered",
          status: 200,
          responseHead: {},
          responseBody: Buffer.alloc(0),
          isWhole: true,
          durationMs: 1,
        };
      },
      close: () => {},
    },
  });
  const worker = createOutboxWorker({ storage, runtime, receivers: { webhook }, logger: pino({ level: "silent" }) });
  onTestFinished(() => worker.stop());
  worker.start();
  await expect.poll(inState).toEqual({ delivered: 500 });
  expect(hosts).toHaveLength(500);
  expect(new Set(hosts).size).toBe(500);
  expect(bodies.size).toBe(1);
});
