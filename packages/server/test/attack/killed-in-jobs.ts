import { rowsOf } from "./disorder.ts";
import type { ServerProcess, SetUpTeam } from "./server-process.ts";

const LEASE_MS = 2 * 60_000;

/** Kills a server outright and starts it again, when the lease that its jobs had is over. */
export async function killAndStartAgain(server: ServerProcess): Promise<void> {
  await server.kill();
  const storage = server.open();
  await storage.write(null, (db) => rowsOf(db, `UPDATE jobs SET lease_until = lease_until - ${LEASE_MS}`));
  await storage.close();
  await server.start();
}

/** Asks the REST API with the team's key. */
export function restOf(server: ServerProcess, { apiKey }: Pick<SetUpTeam, "apiKey">) {
  // biome-ignore lint/suspicious/noExplicitAny: stories read any answer
  return async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const answer = await fetch(`${server.origin}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
}
