/**
 * How many attempts a process has under way over all endpoints (docs/decisions/0014). The door to the outside is one that the
 * test holds shut: 256 TLS handshakes at once take a small machine longer than the 4 seconds of an attempt.
 */
import { DEFAULT_RETRY_WAITS_MS } from "@frontdesk/core/domain/retry-schedule";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { PATIENCE } from "../../test/subscriber.ts";
import { startTestApp } from "../../test/test-kit.ts";
import { veraWrites } from "../../test/vera.ts";
import type { PostOutcome } from "../outbound/post.ts";
import { createDeliveryWorker } from "./delivery-worker.ts";

// The app does not run; the worker of the test sends.
const { team, storage, machine } = await startTestApp();

test("256 are under way at once, half of them for endpoints that fail; one that works is served meanwhile", async () => {
  const acme = await team();
  const subscribe = (host: string) =>
    acme.post("/webhooks", { endpoint_url: `https://${host}/`, events: ["message.received"] });
  for (let number = 0; number < 80; number += 1) await subscribe(`failing-${number}.test`);
  for (let visitor = 0; visitor < 10; visitor += 1) await veraWrites(acme);

  const underWay = new Map<(outcome: PostOutcome) => void, string>();
  let most = 0;
  const worker = createDeliveryWorker({
    storage,
    machine,
    waits: DEFAULT_RETRY_WAITS_MS,
    logger: pino({ level: "silent" }),
    outbound: {
      post: ({ url }) =>
        new Promise((resolve) => {
          underWay.set(resolve, url.hostname);
          most = Math.max(most, underWay.size);
        }),
      close: () => {},
    },
  });
  const answerAll = (status: number) => {
    const asked = [...underWay.keys()];
    underWay.clear();
    const answer = { responseHead: {}, responseBody: Buffer.alloc(0), durationMs: 1 };
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
  await expect.poll(() => underWay.size, PATIENCE).toBe(256);
  answerAll(503);
  // Now these have two each, and the 16 that had to wait have their four.
  await expect.poll(() => underWay.size, PATIENCE).toBe(64 * 2 + 16 * 4);
  answerAll(503);
  // All 80 would have two each.
  await expect.poll(() => underWay.size, PATIENCE).toBe(128);

  await subscribe("working.test");
  for (let visitor = 0; visitor < 10; visitor += 1) await veraWrites(acme);
  await expect.poll(() => [...underWay.values()].filter((host) => host === "working.test").length, PATIENCE).toBe(4);
  expect(underWay.size).toBe(128 + 4);
  expect(most).toBe(256);
});
