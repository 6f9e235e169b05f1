/**
 * A small `npm run soak -- chat-two-servers`. In `npm test`, live.test.ts has the two servers and chat-while-cut.test.ts the
 * browser.
 */

import { startRedis } from "@frontdesk/testing/redis-server";
import { expect, inject, onTestFinished, test } from "vitest";
import { chatWhileCut } from "../packages/server/test/attack/chat-while-cut.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import { startServerPair } from "../packages/server/test/attack/server-pair.ts";
import { killAndStart } from "../packages/server/test/attack/server-process.ts";

const MESSAGES = 15;

test("a visitor at one server and an agent at another miss nothing and see nothing twice, while a server is killed and Redis comes and goes", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const { servers, remove } = await startServerPair(inject("postgresUrl"), { REDIS_URL: redis.url });
  onTestFinished(remove);
  const [visitorAt, agentAt] = servers;
  const team = await visitorAt.team("Acme");
  const redisAway = async () => {
    await redis.kill();
    await redis.restart();
  };
  const report = await chatWhileCut({
    ...{ visitorAt, agentAt, team, faults: [() => killAndStart(visitorAt), redisAway] },
    ...{ rounds: 10, messages: MESSAGES, random: seeded(11), isToldInTheEnd: true },
  });
  expect(report.problems).toEqual([]);
  // The premise: there were messages to lose, and disconnects to lose them in.
  expect(Math.min(report.byVera, report.byAda)).toBeGreaterThanOrEqual(MESSAGES);
  expect(report.agentCuts).toBeGreaterThan(1);
});
