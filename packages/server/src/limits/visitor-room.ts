import { Refusal } from "@frontdesk/core/domain/refusal";
import type { Logger } from "../logger.ts";
import type { Engine } from "../storage/dialect.ts";
import { type FreeBytes, fitsOnDisk } from "../storage/disk-reserve.ts";

const RETRY_SECONDS = 60;
const NO_ROOM_TEXT = "There is no room for messages at the moment. Please try again later.";

/** Whether the disk has room for what visitors write. */
export interface VisitorRoom {
  has(): Promise<boolean>;
  /** @throws Refusal `unavailable` when it has none */
  require(): Promise<void>;
}

/**
 * Keeps the last of the disk for the team: what visitors write is refused before the database itself fails for everyone. On
 * PostgreSQL nothing is refused: how much room its server has cannot be asked over a connection.
 *
 * @param dataDir the folder of the embedded database
 * @param free asked for the room on the disk; set by tests
 */
export function visitorRoom(parts: { engine: Engine; dataDir: string; logger: Logger; free?: FreeBytes }): VisitorRoom {
  const { engine, dataDir, logger, free } = parts;
  let wasFull = false;

  return {
    has,
    async require() {
      if (!(await has())) throw new Refusal({ name: "unavailable", retryAfterSeconds: RETRY_SECONDS }, NO_ROOM_TEXT);
    },
  };

  async function has(): Promise<boolean> {
    if (engine === "postgres") return true;
    // What cannot be measured refuses nothing: the write itself finds out.
    const isFull = !(await fitsOnDisk(dataDir, 0, free).catch(() => true));
    if (isFull && !wasFull) logger.warn({ dataDir }, "The disk is almost full: what visitors write is refused");
    if (!isFull && wasFull) logger.info("The disk has room again: visitors can write");
    wasFull = isFull;
    return !isFull;
  }
}
