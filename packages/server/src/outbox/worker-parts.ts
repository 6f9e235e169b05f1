import type { Runtime } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Storage } from "../storage/database.ts";
import type { Timeouts } from "../timeouts.ts";
import type { Queue } from "./queue-state.ts";
import type { Receiver } from "./receiver.ts";
import type { Slots } from "./slots.ts";

/** What the parts of an outbox worker share. */
export interface WorkerParts {
  storage: Storage;
  runtime: Runtime;
  logger: Logger;
  timeouts: Timeouts;
  /** By kind. */
  receivers: Readonly<Record<string, Receiver>>;
  /** This process, as the owner of queues. */
  ownerId: string;
  slots: Slots;
  /** Queues that have ready items, and a slot of their own for them. */
  toSend: Set<Queue>;
  /** The worker begins nothing new. */
  stopped: boolean;
  /** Does whatever is possible for a queue now; called after every change of it. */
  attend(queue: Queue): void;
}
