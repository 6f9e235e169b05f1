/**
 * A subscriber of a server process, over HTTPS, and what it must have got: every event at least once and only what has
 * happened, compared by id with the data itself (reference rows 1, 2, 5, 6 and 22).
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type EventName, eventNames } from "@frontdesk/core/contract";
import { newAuthority } from "@frontdesk/testing/certificates";
import { RECEIVER_NAMES, type Received, type Receiver, startReceiver } from "@frontdesk/testing/https-receiver";
import type { EventRow, OutboxAttemptRow, OutboxItemRow } from "../../src/storage/tables.ts";
import { rowsOf } from "./disorder.ts";
import type { ServerProcess, SetUpTeam } from "./server-process.ts";

/** More of one kind add no information. */
const MOST_TOLD = 20;
const POLL_MS = 50;

export interface Subscriber {
  receiver: Receiver;
  /** For the server: it believes this receiver, may reach it, and does not wait a minute to try again. */
  settings: Record<string, string>;
  /** Subscribes; answers the id of the subscription. */
  subscribe(server: ServerProcess, team: SetUpTeam, events?: readonly EventName[]): Promise<string>;
  close(): Promise<void>;
}

/** @param days how long its certificate is good */
export async function startSubscriber(days = 1): Promise<Subscriber> {
  const authority = newAuthority(days);
  const receiver = await startReceiver({ authority, certificate: authority.certify(RECEIVER_NAMES, days) });
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-subscriber-"));
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, receiver.ca);
  return {
    receiver,
    settings: {
      NODE_EXTRA_CA_CERTS: ca,
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      WEBHOOK_RETRY_SECONDS: "1,2,3",
    },
    async subscribe(server, team, events = eventNames) {
      const endpoint_url = receiver.url("/hook", "127.0.0.1").href;
      const { data } = await call(server, team, "/webhooks", { endpoint_url, events });
      return data.id;
    },
    async close() {
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A request of the REST API that must succeed; a POST when there is a body and no other method is named.
 *
 * @throws Error when it does not
 */
export async function call(
  server: ServerProcess,
  team: SetUpTeam,
  path: string,
  body?: object,
  method = body ? "POST" : "GET",
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
): Promise<any> {
  const answer = await fetch(`${server.origin}/api/v1${path}`, {
    method,
    headers: { "x-api-key": team.apiKey, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** A message of a new visitor; answers its id. */
export async function visitorWrites(server: ServerProcess, team: SetUpTeam, content: string): Promise<string> {
  return (await call(server, team, "/conversations", { widget_id: team.widgetId, content })).data.id;
}

/** Whether the condition holds within the time. */
export async function comesTrue(patienceMs: number, condition: () => unknown): Promise<boolean> {
  for (const from = performance.now(); performance.now() - from < patienceMs; await delay(POLL_MS)) {
    if (await condition()) return true;
  }
  return false;
}

export interface DeliveryReport {
  problems: string[];
  /** Events that were to be delivered, and the requests that arrived for them. */
  events: number;
  requests: number;
  /** Attempts with an unknown end: their process died. */
  unknown: number;
}

/**
 * Waits until every delivery has arrived, and answers what violates these rules:
 *
 * - every event since the subscription was created has one delivery, and arrived at least once
 * - no event arrived that is not stored
 * - an event that arrived again had the same bytes, and a new `del_…`, which is in the log
 * - one attempt alone has delivered it
 * - first attempts arrived in the order of the conversation
 *
 * @param webhookId a subscription to every event; the receiver may have others
 * @param messages ids of messages that were acknowledged: the event of each must have arrived
 */
export async function deliveredWrongly(
  server: ServerProcess,
  team: SetUpTeam,
  webhookId: string,
  { receiver, messages, patienceMs }: { receiver: Receiver; messages: ReadonlySet<string>; patienceMs: number },
): Promise<DeliveryReport> {
  const storage = server.open();
  try {
    const of = <Row>(what: string, from: string, more = "") =>
      storage.read((db) => rowsOf<Row>(db, `SELECT ${what} FROM ${from} WHERE team_id = '${team.teamId}' ${more}`));
    const ofWebhook = `AND queue_id = '${webhookId}'`;
    const pending = () => of<{ n: number }>("count(*) AS n", "outbox_items", `${ofWebhook} AND state <> 'delivered'`);
    await comesTrue(patienceMs, async () => Number((await pending())[0]?.n) === 0);
    const data: Told = {
      webhookId,
      events: eventsSince(webhookId, await of<EventRow>("*", "events", "ORDER BY number")),
      deliveries: await of<OutboxItemRow>("*", "outbox_items", ofWebhook),
      attempts: await of<OutboxAttemptRow>("*", "outbox_attempts", ofWebhook),
      received: receiver.received.filter(({ headers }) => headers["x-service-webhook-id"] === webhookId),
      messages,
    };
    return {
      problems: [...wrongDeliveries(data), ...wrongRequests(data), ...wrongOrder(data)],
      events: data.events.length,
      requests: data.received.length,
      unknown: data.attempts.filter(({ outcome }) => outcome === null).length,
    };
  } finally {
    await storage.close();
  }
}

interface Told {
  webhookId: string;
  /** In order. */
  events: EventRow[];
  deliveries: OutboxItemRow[];
  attempts: OutboxAttemptRow[];
  /** Of this subscription, in the order of arrival. */
  received: Received[];
  messages: ReadonlySet<string>;
}

/** The public events that happened after the subscription was created. */
function eventsSince(webhookId: string, events: EventRow[]): EventRow[] {
  const made = events.find(({ name, data }) => name === "webhook.created" && data.includes(webhookId));
  if (!made) throw new Error(`The log does not tell that subscription ${webhookId} was made.`);
  const names = new Set<string>(eventNames);
  return events.filter(({ number, name }) => number > made.number && names.has(name));
}

function wrongDeliveries({ events, deliveries, attempts }: Told): string[] {
  const problems: string[] = [];
  const queued = new Map(deliveries.map((delivery) => [delivery.event_id, delivery]));
  const succeeded = Map.groupBy(
    attempts.filter(({ outcome }) => outcome === "delivered"),
    ({ event_number }) => event_number,
  );
  for (const { id, number } of events) {
    const delivery = queued.get(id);
    const successes = succeeded.get(number)?.length ?? 0;
    if (!delivery) problems.push(`${id} was never queued.`);
    else if (delivery.state !== "delivered")
      problems.push(`${id} is ${delivery.state}, at attempt ${delivery.attempt}.`);
    else if (successes !== 1) problems.push(`${successes} attempts have delivered ${id}.`);
    queued.delete(id);
  }
  for (const id of queued.keys()) problems.push(`${id} is queued, and no event of the log.`);
  return problems.slice(0, MOST_TOLD);
}

function wrongRequests({ events, attempts, received, messages }: Told): string[] {
  const problems: string[] = [];
  const missing = new Map(events.map((event) => [event.id, event]));
  const known = new Map(missing);
  const bodies = new Map<string, Buffer>();
  const logged = new Map(attempts.map(({ id, event_number }) => [id, event_number]));
  const told = new Set<string>();
  for (const { headers, body } of received) {
    const { id, data } = JSON.parse(body.toString());
    const event = known.get(id);
    if (!event) {
      problems.push(`${id} came, and is no event of the log.`);
      continue;
    }
    missing.delete(id);
    if (data.message) told.add(data.message.id);
    if (!isDeepStrictEqual(data, JSON.parse(event.data))) problems.push(`${id} came with other data than it has.`);
    const first = bodies.get(id);
    if (!first) bodies.set(id, body);
    else if (!first.equals(body)) problems.push(`${id} came again with other bytes.`);
    const attempt = String(headers["x-service-delivery-id"]);
    if (logged.get(attempt) !== event.number) problems.push(`${id} came as ${attempt}, twice or not in the log.`);
    logged.delete(attempt);
  }
  for (const id of missing.keys()) problems.push(`${id} never came.`);
  for (const id of messages) if (!told.has(id)) problems.push(`Message ${id} was acknowledged, its event never came.`);
  return problems.slice(0, MOST_TOLD);
}

/** An event whose attempt failed arrives later, and its conversation does not wait for it. */
function wrongOrder({ events, attempts, received }: Told): string[] {
  const failed = new Set(
    attempts.filter(({ outcome }) => outcome === "failed").map(({ event_number }) => event_number),
  );
  const inOrder = new Map(events.filter(({ number }) => !failed.has(number)).map((event) => [event.id, event]));
  const problems: string[] = [];
  const latest = new Map<string, number>();
  const seen = new Set<string>();
  for (const { headers } of received) {
    const event = inOrder.get(String(headers["webhook-id"]));
    if (!event?.conversation_id || seen.has(event.id)) continue;
    seen.add(event.id);
    const before = latest.get(event.conversation_id) ?? 0;
    if (event.number < before) problems.push(`Event ${event.number} came after ${before} of the same conversation.`);
    latest.set(event.conversation_id, event.number);
  }
  return problems.slice(0, MOST_TOLD);
}
