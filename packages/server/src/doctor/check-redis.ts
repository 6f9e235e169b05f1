import { redisConnection } from "../limits/redis-connection.ts";
import { loadScript, tryRedis } from "../limits/shared-window.ts";
import type { Check } from "./check.ts";

const TIMEOUT_MS = 3_000;

/** Redis: reached, it accepts our name and password, and counts as the server needs it. */
export async function checkRedis(redisUrl: string | undefined): Promise<Check> {
  const name = "redis";
  if (redisUrl === undefined) {
    const says = "REDIS_URL is not set. Each process counts requests on its own.";
    return { name, state: "note", says };
  }
  // Without name and password.
  const { host } = new URL(redisUrl);
  const redis = redisConnection(redisUrl);
  let connectionProblem: Error | undefined;
  redis.on("error", (error) => {
    connectionProblem = error;
  });
  try {
    await Promise.race([
      redis
        .connect()
        .then(() => loadScript(redis))
        .then(() => tryRedis(redis)),
      tooLate(),
    ]);
    return { name, state: "ok", says: `${host} responds and counts requests.` };
  } catch (error) {
    // For a failed connection, the error itself says only that it is closed.
    const reason = redis.status === "ready" ? error : (connectionProblem ?? error);
    const says = `${host} cannot count requests: ${(reason as Error).message}. Until this is fixed, each process counts on its own.`;
    const make =
      "Check REDIS_URL: host, port, user and password, redis:// or rediss://. It must point to a primary with free memory.";
    return { name, state: "problem", says, do: make };
  } finally {
    redis.disconnect();
  }
}

/** Redis may accept the connection and not answer. */
function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no response within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS).unref();
  });
}
