import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give out by themselves (Linux from 32,768), above those that browsers refuse: nobody is given
 * one of these by chance while the process that was told of it starts, or starts again.
 */
const FIRST = 11_000;
const LAST = 32_000;

/** A port of 127.0.0.1 that nobody listens on at this moment, for a process that must be told its port. */
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
