import type { Runtime } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Storage } from "../storage/database.ts";
import { systemTimeouts, type Timeouts } from "../timeouts.ts";
import { leaseHolds } from "./claim-items.ts";
import { drained, haltQueue, haltSwitchedOff } from "./halt-queue.ts";
import { IMPOSSIBLE_LEASE_MS } from "./outbox-item.ts";
import { endLeases, type QueueWithWork, queuesWithWork } from "./outbox-store.ts";
import { newQueue, type Queue } from "./queue-state.ts";
import type { QueueName, QueueRef, Receiver } from "./receiver.ts";
import { scheduleClaims } from "./schedule-claims.ts";
import { release } from "./send-items.ts";
import { createSlots } from "./slots.ts";
import type { WorkerParts } from "./worker-parts.ts";

/**
 * How often to look for work that this process was not woken for: retries, other processes' events, queues of dead processes.
 */
const LOOK_MS = 1_000;
/** How long attempts under way may continue after a stop; then they are aborted, and may be written for a while. */
const STOP_TIMEOUT_MS = 5_000;
const ABORTED_TIMEOUT_MS = 1_000;

export interface OutboxWorker {
  start(): void;
  /** These queues of a team have new items. */
  wake(teamId: string, queues: readonly QueueRef[]): void;
  /** Resolves when nothing of a queue, switched off or removed before, is under way in any process. */
  halt(teamId: string, queue: QueueRef): Promise<void>;
  /** Stops sending, and waits a while for what is under way. */
  stop(): Promise<void>;
}

/**
 * Sends what is in the outbox of all teams (docs/decisions/0014, docs/decisions/0037).
 *
 * ```
 * wake, look --> a claim (one transaction) --> ready --(a slot is free)--> under way --> ended
 *                  ^      |                      |                                         |
 *                  |      '--- released, unsent <' off, stopping, or claimed too long ago  |
 *                  '----------------------- the next claim writes it and claims more <-----'
 * ```
 * `schedule-claims.ts` says which queue claims when, `claim-items.ts` what, `send-items.ts` sends it.
 *
 * @param options.receivers by kind; queues of a kind that is not among them are left to a program that knows it
 */
export function createOutboxWorker({
  storage,
  runtime,
  receivers,
  logger,
  timeouts = systemTimeouts,
}: {
  storage: Storage;
  runtime: Runtime;
  receivers: Readonly<Record<string, Receiver>>;
  logger: Logger;
  timeouts?: Timeouts;
}): OutboxWorker {
  const queues = new Map<string, Queue>();
  const parts: WorkerParts = {
    storage,
    runtime,
    logger,
    timeouts,
    receivers,
    ownerId: runtime.newId(),
    slots: createSlots(),
    toSend: new Set(),
    stopped: false,
    attend: (queue) => schedule.attend(queue),
  };
  const schedule = scheduleClaims(parts, ({ queueId }) => queues.delete(queueId));
  const longestWaitMs = Math.max(...Object.values(receivers).map((receiver) => receiver.longestWaitMs));
  const stopListening = storage.hear("outbox", () => void haltSwitchedOff(parts, queues));
  let cancelLook = () => {};
  let looking = false;
  let started = false;

  return {
    start: () => void begin(),
    wake(teamId, refs) {
      if (started) for (const ref of refs) wakeUp({ teamId, ...ref });
    },
    halt: (teamId, ref) => haltQueue(parts, queues, { teamId, ...ref }),
    stop,
  };

  /** What a dead process owned is free at once when no other process is alive for certain; otherwise when its lease ends. */
  async function begin(): Promise<void> {
    try {
      await storage.joinServers(() => storage.write(null, (db) => db.run(endLeases, {})));
    } catch (error) {
      logger.warn({ err: error }, "Items that were being sent when the server stopped will be resent in 15 seconds.");
    }
    if (parts.stopped) return;
    started = true;
    lookEverySecond();
    await look();
  }

  function lookEverySecond(): void {
    cancelLook = timeouts.after(LOOK_MS, () => {
      lookEverySecond();
      for (const queue of queues.values()) schedule.renew(queue);
      void look();
    });
  }

  async function look(): Promise<void> {
    if (parts.stopped || looking) return;
    looking = true;
    try {
      const now = runtime.steadyNow();
      const far = { far: now + longestWaitMs, lease_far: now + IMPOSSIBLE_LEASE_MS };
      const found = await storage.read((db) => db.all(queuesWithWork, { now, ...far }));
      for (const one of found) if (!isOthers(one, parts.ownerId, now)) wakeFound(one);
    } catch (error) {
      if (!parts.stopped) logger.warn({ err: error }, "Cannot look for items to send. Retrying shortly.");
    } finally {
      looking = false;
    }
  }

  function wakeFound({ team_id, queue_id, receiver }: QueueWithWork): void {
    wakeUp({ teamId: team_id, queueId: queue_id, receiver }, { seeksRetries: true });
  }

  function wakeUp(name: QueueName, { seeksRetries = false } = {}): void {
    const queue = queues.get(name.queueId) ?? remember(name);
    if (!queue) return;
    queue.woken = true;
    queue.seeksRetries ||= seeksRetries;
    schedule.attend(queue);
  }

  function remember(name: QueueName): Queue | undefined {
    const port = receivers[name.receiver];
    if (!port) return undefined;
    const queue = newQueue(name, port);
    queues.set(name.queueId, queue);
    return queue;
  }

  async function stop(): Promise<void> {
    parts.stopped = true;
    cancelLook();
    stopListening();
    for (const queue of [...queues.values()]) {
      release(parts, queue);
      schedule.attend(queue);
    }
    const drain = (ms: number) => {
      const until = performance.now() + ms;
      return Promise.all([...queues.values()].map((queue) => drained(queue, until)));
    };
    await drain(STOP_TIMEOUT_MS);
    for (const queue of queues.values()) queue.off.abort();
    await drain(ABORTED_TIMEOUT_MS);
    schedule.close();
  }
}

/** Another process owns it, and looks for work itself. */
function isOthers({ owner_id, lease_until }: QueueWithWork, ownerId: string, now: number): boolean {
  return owner_id !== null && owner_id !== ownerId && leaseHolds(lease_until, now);
}
