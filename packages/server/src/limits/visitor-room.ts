import { unavailable } from "@frontdesk/core/domain/refusal";
import type { Logger } from "../logger.ts";

const RETRY_SECONDS = 60;

/** Whether the disk has room for what visitors write. */
export interface VisitorRoom {
  has(): Promise<boolean>;
  /** @throws Refusal `unavailable` when it has none */
  require(): Promise<void>;
}

/**
 * Reserves the last of the disk for the team: what visitors write is refused before the database itself fails for everyone.
 *
 * @param fits whether the reserve of the database's disk is free; undefined where that cannot be read, as on the server of a
 *   PostgreSQL: nothing is refused then
 */
export function visitorRoom({
  fits,
  logger,
}: {
  fits: (() => Promise<boolean>) | undefined;
  logger: Logger;
}): VisitorRoom {
  let wasFull = false;

  return {
    has,
    async require() {
      if (!(await has())) throw unavailable(RETRY_SECONDS, "no-room-for-messages");
    },
  };

  async function has(): Promise<boolean> {
    if (!fits) return true;
    // When it cannot be measured, nothing is refused: the write itself will fail.
    const isFull = !(await fits().catch(() => true));
    if (isFull && !wasFull) logger.warn("The disk is almost full. Messages from visitors are refused.");
    if (!isFull && wasFull) logger.info("The disk has free space again. Visitors can write.");
    wasFull = isFull;
    return !isFull;
  }
}
