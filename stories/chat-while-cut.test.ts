/** `npm run soak -- chat chat-two-servers` in small: a visitor's browser and an agent, while everything between them breaks. */
import { expect, inject, onTestFinished, test } from "vitest";
import { type CutChatOptions, chatWhileCut } from "../packages/server/test/attack/chat-while-cut.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import { startServerPair } from "../packages/server/test/attack/server-pair.ts";
import { killAndStart, newServerProcess } from "../packages/server/test/attack/server-process.ts";
import { startRedis } from "../packages/server/test/redis-server.ts";

const ROUNDS = 10;
const MESSAGES = 15;
const SEED = 11;

test("a visitor's browser and an agent miss nothing and see nothing twice, while lines are cut and the server is killed", async () => {
  const server = await newServerProcess(undefined);
  onTestFinished(() => server.remove());
  const team = await server.team("Acme");
  await server.start();
  await theyTalk({ visitorAt: server, agentAt: server, team, faults: [() => killAndStart(server)] });
}, 180_000);

test("the same with the visitor at one server and the agent at another, and a Redis that comes and goes", async () => {
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
  const faults = [() => killAndStart(visitorAt), redisAway];
  await theyTalk({ visitorAt, agentAt, team, faults });
}, 180_000);

async function theyTalk(scene: Omit<CutChatOptions, "rounds" | "messages" | "random">): Promise<void> {
  const small = { rounds: ROUNDS, messages: MESSAGES, random: seeded(SEED), isToldInTheEnd: true };
  const report = await chatWhileCut({ ...scene, ...small });
  expect(report.problems).toEqual([]);
  // The premise: there was something to lose, and a line to lose it on.
  expect(Math.min(report.byVera, report.byAda)).toBeGreaterThanOrEqual(MESSAGES);
  expect(report.agentCuts).toBeGreaterThan(1);
}
