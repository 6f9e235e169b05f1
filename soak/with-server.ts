/** A server for one attack, removed afterwards. */

import { type PostgresCluster, startPostgres } from "@frontdesk/testing/postgres-cluster";
import { type Subscriber, startSubscriber } from "../packages/server/test/attack/counting-subscriber.ts";
import { newServerProcess, type ServerProcess, type SetUpTeam } from "../packages/server/test/attack/server-process.ts";

/** The result of an attack: the violated guarantees, as sentences. */
export type Problems = Promise<string[]>;
type Settings = Record<string, string>;

/** First on SQLite; on PostgreSQL only when all guarantees held. */
export async function onBothEngines(
  attack: (server: ServerProcess, team: SetUpTeam) => Problems,
  settings: Settings = {},
): Problems {
  const server = await newServerProcess(undefined, settings);
  try {
    const team = await server.team("Acme");
    await server.start();
    const problems = await attack(server, team);
    if (problems.length > 0) return problems;
  } finally {
    await server.remove();
  }
  return withPostgres((postgres, team) => attack(postgres, team), settings);
}

/** With fsync, as in production. */
export async function withPostgres(
  attack: (server: ServerProcess, team: SetUpTeam, cluster: PostgresCluster) => Problems,
  settings: Settings = {},
): Problems {
  const cluster = await startPostgres({ fsync: true });
  const server = await newServerProcess(cluster.url, settings);
  try {
    const team = await server.team("Acme");
    await server.start();
    return await attack(server, team, cluster);
  } finally {
    await server.remove();
    await cluster.stop();
  }
}

/**
 * A receiver that both engines' servers trust.
 *
 * @param days validity of its certificate
 */
export async function withSubscriber(attack: (subscriber: Subscriber) => Problems, days = 1): Problems {
  const subscriber = await startSubscriber(days);
  try {
    return await attack(subscriber);
  } finally {
    await subscriber.close();
  }
}
