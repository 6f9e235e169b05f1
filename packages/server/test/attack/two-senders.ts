/** Two servers that send the same team's deliveries (reference row 5). */
import { comesTrue, deliveredWrongly, type Subscriber, visitorWrites } from "./counting-subscriber.ts";
import { rowsOf } from "./disorder.ts";
import type { ServerPair } from "./server-pair.ts";
import type { ServerProcess } from "./server-process.ts";

/** Who writes at the same time. */
const LANES = 8;
const SUBSCRIPTIONS = 4;
/** A new visitor's message begins a conversation: two events for each subscription. */
const DELIVERIES_A_MESSAGE = 2 * SUBSCRIPTIONS;
/** Far more than it takes; a machine may be busy with something else. */
const PATIENCE_MS = 120_000;

export interface TwoSendersReport {
  problems: string[];
  deliveries: number;
  requests: number;
  /** How many of them each server has sent. */
  sentBy: number[];
}

/**
 * Both servers take messages of new visitors, in bursts, for several subscriptions whose receiver counts. No
 * delivery may arrive twice: neither server dies, and no lease runs out.
 *
 * @param servers running, with the subscriber's settings
 * @param deliveries about how many
 */
export async function twoSenders(
  servers: ServerPair,
  subscriber: Subscriber,
  deliveries: number,
): Promise<TwoSendersReport> {
  const [one] = servers;
  const { receiver } = subscriber;
  const team = await one.team("Senders");
  const webhooks: string[] = [];
  for (let count = 0; count < SUBSCRIPTIONS; count += 1) webhooks.push(await subscriber.subscribe(one, team));

  const messages = new Set<string>();
  const bursts = Math.ceil(deliveries / DELIVERIES_A_MESSAGE / LANES);
  const storage = one.open();
  /** All deliveries have arrived, and neither server holds a queue. */
  const isAtRest = async () => {
    if (receiver.received.length < messages.size * DELIVERIES_A_MESSAGE) return false;
    const held = `SELECT queue_id FROM outbox_queues WHERE team_id = '${team.teamId}' AND owner_id IS NOT NULL`;
    return (await storage.read((db) => rowsOf(db, held))).length === 0;
  };
  try {
    for (let burst = 0; burst < bursts; burst += 1) {
      // Every third burst wakes both servers, while one of them sends; the others wake one alone, when no queue is held: the
      // holder of a queue goes on with it, and on a busy machine the other server might never claim it.
      const toBoth = burst % 3 === 2;
      if (!toBoth) await comesTrue(PATIENCE_MS, isAtRest);
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          const server = servers[(toBoth ? lane : burst) % 2] as ServerProcess;
          messages.add(await visitorWrites(server, team, `Word ${burst}.${lane}`));
        }),
      );
    }
  } finally {
    await storage.close();
  }

  const report: TwoSendersReport = { problems: [], deliveries: 0, requests: 0, sentBy: [] };
  for (const webhook of webhooks) {
    const told = await deliveredWrongly(one, team, webhook, { receiver, messages, patienceMs: PATIENCE_MS });
    report.problems.push(...told.problems);
    report.deliveries += told.events;
    report.requests += told.requests;
  }
  if (report.deliveries !== messages.size * DELIVERIES_A_MESSAGE) {
    report.problems.push(`${messages.size} messages have made ${report.deliveries} deliveries.`);
  }
  if (report.requests !== report.deliveries) {
    report.problems.push(`${report.requests} requests came for ${report.deliveries} deliveries.`);
  }
  report.sentBy = await Promise.all(servers.map(deliveredBy));
  return report;
}

/** How many deliveries a server has sent since it started. */
async function deliveredBy({ origin }: ServerProcess): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^frontdesk_webhook_attempts_total\{outcome="delivered"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
}
