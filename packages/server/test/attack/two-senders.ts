/** Two servers that send the same team's deliveries (reference row 5). */
import type { ServerPair } from "./server-pair.ts";
import { call, comesTrue, deliveredWrongly, type Subscriber, visitorWrites } from "./subscriber.ts";

/** Who writes at the same time, each to both servers in turn. */
const LANES = 8;
/** With two more events a message, the deliveries of all. */
const SUBSCRIPTIONS = 4;
const EVENTS_A_MESSAGE = 2;
/** Far more than they take; a machine may be busy with something else. */
const PATIENCE_MS = 120_000;

export interface TwoSendersReport {
  problems: string[];
  deliveries: number;
  requests: number;
  /** Attempts of each server. */
  attempts: number[];
}

/**
 * Both servers take messages of new visitors, for several subscriptions that one receiver counts. Nothing may come
 * twice: neither server dies, and no lease runs out.
 *
 * @param servers running, with the subscriber's settings
 */
export async function twoSenders(
  servers: ServerPair,
  subscriber: Subscriber,
  deliveries: number,
): Promise<TwoSendersReport> {
  const [one] = servers;
  const { receiver } = subscriber;
  const team = await one.team("Senders");
  const events = ["message.received", "contact.updated"] as const;
  void events;
  throw new Error("to be written");
}
