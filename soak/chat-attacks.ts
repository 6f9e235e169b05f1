/** The attacks on a conversation: everything between a visitor's browser and an agent breaks, again and again. */
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "@frontdesk/testing/postgres-cluster";
import { startRedis } from "@frontdesk/testing/redis-server";
import { type CutChatOptions, chatWhileCut } from "../packages/server/test/attack/chat-while-cut.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import { startServerPair } from "../packages/server/test/attack/server-pair.ts";
import { killAndStart } from "../packages/server/test/attack/server-process.ts";
import type { Attack, SoakOptions } from "./attacks.ts";
import { onBothEngines, type Problems } from "./with-server.ts";

const ROUNDS = 200;
/** Messages of each side. */
const MESSAGES = 1_000;
const REDIS_AWAY_MS = 1_000;

export const chatAttacks: Record<string, Attack> = {
  chat: {
    promise: "a visitor's browser and an agent miss nothing and see nothing twice, whatever is cut or killed",
    run: (options) =>
      onBothEngines((server, team) =>
        talking(
          { visitorAt: server, agentAt: server, team, faults: [() => killAndStart(server)] },
          server.engine,
          options,
        ),
      ),
  },
  "chat-two-servers": {
    promise: "the same with the visitor at one server, the agent at another, and a Redis that comes and goes",
    run: overTwoServers,
  },
};

async function overTwoServers(options: SoakOptions): Problems {
  const cluster = await startPostgres({ fsync: true });
  const redis = await startRedis();
  const pair = await startServerPair(cluster.url, { REDIS_URL: redis.url });
  const [visitorAt, agentAt] = pair.servers;
  try {
    const team = await visitorAt.team("Acme");
    const redisAway = async () => {
      await redis.kill();
      await delay(REDIS_AWAY_MS);
      await redis.restart();
    };
    const faults = [() => killAndStart(visitorAt), redisAway, () => killAndStart(agentAt)];
    return await talking({ visitorAt, agentAt, team, faults }, "two servers", options);
  } finally {
    await pair.remove();
    await redis.kill();
    await cluster.stop();
  }
}

async function talking(
  scene: Pick<CutChatOptions, "visitorAt" | "agentAt" | "team" | "faults">,
  name: string,
  { scale, seed, say }: SoakOptions,
): Problems {
  const report = await chatWhileCut({
    ...scene,
    rounds: Math.ceil(ROUNDS * scale),
    messages: Math.ceil(MESSAGES * scale),
    random: seeded(seed),
    progress: (round) => {
      if (round % 20 === 0) say(`${name}: ${round}`);
    },
  });
  const { byVera, byAda, agentCuts, reloads } = report;
  say(
    `${name}: ${byVera} messages of the visitor, ${byAda} of the agent, who was cut off ${agentCuts} times; ${reloads} reloads`,
  );
  return report.problems;
}
