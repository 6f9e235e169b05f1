import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ephemeral ports of systems (Linux from 32,768), above those that browsers block: no other program gets one of these
 * by chance before the process that was given it starts, or restarts.
 */
const FIRST = 11_000;
const LAST = 32_000;

/** A port of 127.0.0.1 without a listener at this moment, for a process that needs its port as a setting. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
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
