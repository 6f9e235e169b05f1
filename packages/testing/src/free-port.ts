import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ephemeral ports of systems (Linux from 32,768), above those that browsers block: no other program gets one of these
 * by chance before the process that was given it starts, or restarts.
 */
const FIRST = 11_000;
const LAST = 32_000;

/** The test processes of a run, by their numbers from 1 on: each has its own share of the ports. */
const SHARES = 16;
const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES;
const given = new Set<number>();

/** A port of 127.0.0.1 without a listener at this moment, for a process that needs its port as a setting. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + SHARES * randomInt(Math.floor((LAST - FIRST) / SHARES)) + share;
    // Its process may not have started yet.
    if (given.has(port)) continue;
    given.add(port);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
