/** Faults in the middle of many deliveries (reference rows 1 and 22): the writes are those of `kill-while-writing.ts`. */

import { status } from "@frontdesk/testing/https-receiver";
import { type DeliveryReport, deliveredWrongly, type Subscriber } from "./counting-subscriber.ts";
import { rowsOf } from "./disorder.ts";
import { type Fault, type KillReport, killWhileWriting } from "./kill-while-writing.ts";
import type { ServerProcess, SetUpTeam } from "./server-process.ts";

/** For a lease that was left to run out, and for what is still queued when the last fault is mended. */
const PATIENCE_MS = 60_000;

/**
 * As `killWhileWriting`, with a subscription to every event of the team.
 *
 * @param server running, with the subscriber's settings
 */
export async function killWhileDelivering(
  server: ServerProcess,
  team: SetUpTeam,
  subscriber: Subscriber,
  options: Parameters<typeof killWhileWriting>[2],
): Promise<KillReport & DeliveryReport> {
  const webhookId = await subscriber.subscribe(server, team);
  const writes = await killWhileWriting(server, team, options);
  const { messages } = writes;
  const { receiver } = subscriber;
  const deliveries = await deliveredWrongly(server, team, webhookId, { receiver, messages, patienceMs: PATIENCE_MS });
  return { ...writes, ...deliveries, problems: [...writes.problems, ...deliveries.problems] };
}

/**
 * A fault after which the 15 seconds for which a dead process holds its queues are skipped: with them, most kills would
 * strike a server that sends nothing. Row 2 waits for them (`unanswered-delivery.ts`).
 */
export function afterTheLease(server: ServerProcess, fault: Fault): Fault {
  return {
    strike: fault.strike,
    async mend() {
      const storage = server.open();
      await storage.write(null, (db) => rowsOf(db, "UPDATE outbox_queues SET lease_until = 0"));
      await storage.close();
      return fault.mend();
    },
  };
}

/** The first time a fault strikes while a request is there that was not answered yet; after that at any moment. */
export function firstUnanswered({ receiver }: Subscriber, fault: Fault): Fault {
  let isFirst = true;
  return {
    async strike() {
      if (isFirst) {
        const { promise, resolve } = Promise.withResolvers<void>();
        receiver.answers(() => resolve(), status(200));
        await promise;
      }
      isFirst = false;
      await fault.strike();
    },
    mend: fault.mend,
  };
}

/** A fault after which no queue may still be held. */
export function leavingNoLease(server: ServerProcess, fault: Fault): Fault {
  return {
    async strike() {
      await fault.strike();
      const storage = server.open();
      const held = await storage.read((db) => rowsOf(db, "SELECT * FROM outbox_queues WHERE owner_id IS NOT NULL"));
      await storage.close();
      if (held.length > 0) throw new Error("The server has ended and still holds a queue.");
    },
    mend: fault.mend,
  };
}
