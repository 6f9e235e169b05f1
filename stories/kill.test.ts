/**
 * Reference rows 1, 3, 22 and 38, in small; `npm run test:deep` has both engines, `npm run soak` kills 200 times and reports
 * recovery times.
 */

import { deep, inDepth } from "@frontdesk/testing/depth";
import { status } from "@frontdesk/testing/https-receiver";
import { enginesOf } from "@frontdesk/testing/installation";
import { startPostgres } from "@frontdesk/testing/postgres-cluster";
import { expect, inject, onTestFinished, test } from "vitest";
import { startSubscriber, visitorWrites } from "../packages/server/test/attack/counting-subscriber.ts";
import { rowsOf } from "../packages/server/test/attack/disorder.ts";
import {
  afterTheLease,
  firstUnanswered,
  killWhileDelivering,
  leavingNoLease,
} from "../packages/server/test/attack/kill-while-delivering.ts";
import {
  type KillReport,
  killedServer,
  killWhileWriting,
  powerCut,
  seeded,
  stoppedServer,
} from "../packages/server/test/attack/kill-while-writing.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";

/** Each round starts the server and reads all data. */
const KILLS = 4;
const KILLS_WHILE_DELIVERING = inDepth(1, 3);
const POWER_CUTS = inDepth(1, 2);
const STOPS = inDepth(1, 2);
const YEAR_MS = 365 * 86_400_000;

// `npm test` has it as a part of the next one, whose writes are the same.
test.runIf(deep).each(enginesOf("sqlite"))(
  "a server killed outright in the middle of many writes has kept every answered one, and no half of any (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    const random = seeded(Date.now());
    const team = await server.team("Acme");
    await server.start();
    const fault = killedServer(server, random);
    expectAllKept(await killWhileWriting(server, team, { faults: KILLS, fault, random }), KILLS);
  },
);

test.each(enginesOf("postgres"))(
  "a server told to stop in the middle of many writes ends with 0, and has kept every answered one (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    const team = await server.team("Acme");
    await server.start();
    const options = { faults: STOPS, fault: stoppedServer(server), random: seeded(Date.now()) };
    const report = await killWhileWriting(server, team, options);
    expectAllKept(report, STOPS);
    // Every received request was answered, so unanswered ones were not performed.
    expect(report.alreadyDone).toBe(0);
  },
);

test.each(enginesOf("sqlite"))(
  "a server killed outright while it delivers has kept every answered write, and has every event of it delivered, and none that is not there (%s)",
  async (engine) => {
    const { server, team, subscriber } = await subscribed(engine);
    const random = seeded(Date.now());
    const fault = firstUnanswered(subscriber, afterTheLease(server, killedServer(server, random)));
    const report = await killWhileDelivering(server, team, subscriber, {
      faults: KILLS_WHILE_DELIVERING,
      fault,
      random,
    });
    expectAllKept(report, KILLS_WHILE_DELIVERING);
    // The premise: some kills came between a request and the record of its result, the first of them always.
    expect(report.unknown).toBeGreaterThan(0);
  },
);

test.runIf(deep).each(enginesOf("sqlite"))(
  "a server told to stop while it delivers notes how what was under way went: every event comes once (%s)",
  async (engine) => {
    const { server, team, subscriber } = await subscribed(engine);
    const fault = leavingNoLease(server, stoppedServer(server));
    const options = { faults: STOPS, fault, random: seeded(Date.now()) };
    const report = await killWhileDelivering(server, team, subscriber, options);
    expectAllKept(report, STOPS);
    expect(report.unknown).toBe(0);
    expect(report.requests).toBe(report.events);
  },
);

test.runIf(deep)(
  "what a server on SQLite was sending when it was killed is sent as soon as it starts again, and not after its lease",
  async () => {
    const { server, team, subscriber } = await subscribed("sqlite");
    const { receiver } = subscriber;
    await subscriber.subscribe(server, team, ["message.received"]);
    receiver.answers(() => {}, status(200));
    await visitorWrites(server, team, "Do you ship to Portugal?");
    await expect.poll(() => receiver.received.length).toBe(1);
    await server.kill();
    // Its lease does not end the wait: that would now take a year.
    const storage = server.open();
    await storage.write(null, (db) => rowsOf(db, `UPDATE outbox_queues SET lease_until = lease_until + ${YEAR_MS}`));
    await storage.close();
    await server.start();
    await expect.poll(() => receiver.received.length).toBe(2);
    const [lost, again] = receiver.received.map(({ headers }) => headers);
    expect(again?.["webhook-id"]).toBe(lost?.["webhook-id"]);
    expect(again?.["x-service-delivery-attempt"]).toBe("1");
    expect(again?.["x-service-delivery-id"]).not.toBe(lost?.["x-service-delivery-id"]);
  },
);

test("a PostgreSQL that loses its power in the middle of many writes has kept every answered one, and no half of any", async () => {
  const cluster = await startPostgres({ fsync: true });
  onTestFinished(() => cluster.stop());
  const server = await newServerProcess(cluster.url);
  const random = seeded(Date.now());
  const team = await server.team("Acme");
  await server.start();
  const fault = powerCut(cluster, server);
  const report = await killWhileWriting(server, team, { faults: POWER_CUTS, fault, random });
  await server.remove();
  expectAllKept(report, POWER_CUTS);
});

/** A running server, and a receiver for its events. */
async function subscribed(engine: "sqlite" | "postgres") {
  const subscriber = await startSubscriber();
  onTestFinished(() => subscriber.close());
  const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined, subscriber.settings);
  onTestFinished(() => server.remove());
  const team = await server.team("Acme");
  await server.start();
  return { server, team, subscriber };
}

function expectAllKept(report: KillReport, faults: number): void {
  expect(report.problems).toEqual([]);
  expect(report.faults).toBe(faults);
  // The premise: there was much to lose.
  expect(report.acknowledged).toBeGreaterThan(faults * 10);
  expect(report.repeated).toBeGreaterThan(faults);
}
