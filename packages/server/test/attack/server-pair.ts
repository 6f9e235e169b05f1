/** Two servers on one PostgreSQL, as behind a load balancer. */
import { randomBytes } from "node:crypto";
import { newServerProcess, type ServerProcess } from "./server-process.ts";

export type ServerPair = [one: ServerProcess, two: ServerProcess];

/**
 * Two servers that run, on a database of their own.
 *
 * @returns `settings`: what both have been started with
 */
export async function startServerPair(
  postgresUrl: string,
  more: Record<string, string> = {},
): Promise<{ servers: ServerPair; settings: Record<string, string>; remove(): Promise<void> }> {
  const shared = { SECRET_KEY: randomBytes(32).toString("base64"), ...more };
  const one = await newServerProcess(postgresUrl, shared);
  const settings = { ...shared, DATABASE_URL: one.databaseUrl as string };
  const two = await newServerProcess(undefined, settings);
  // Both at once: each brings the data up to date, and neither stumbles over the other.
  await Promise.all([one.start(), two.start()]);
  return {
    servers: [one, two],
    settings,
    async remove() {
      await two.remove();
      await one.remove();
    },
  };
}
