/** Subscribers: an app whose webhooks reach receivers on this machine, and a team's subscriptions to them. */
import type { Logger } from "pino";
import { expect, onTestFinished, vi } from "vitest";
import { sharedAuthority } from "./certificates.ts";
import { type Answer, type Exchange, namesOf, type Receiver, startReceiver, status } from "./https-receiver.ts";
import { PATIENT } from "./patient.ts";
import { type OutboundParts, startTestApp, type TestApp, type TestTeam } from "./test-kit.ts";

/** Makes the receivers reachable for webhooks. */
export const TO_RECEIVERS = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };

export interface AppWithReceivers extends TestApp {
  /** For another app with the same receivers. */
  outbound: OutboundParts;
  names: ReturnType<typeof namesOf>;
  /** A receiver that the app trusts, until the test is finished. */
  receiver(): Promise<Receiver>;
}

/**
 * An app that does not listen, and sends nothing, until `app.start()`.
 *
 * @param timeoutMs of an attempt: by default so long that none ends by it while a test on a busy machine holds its answer
 */
export async function startAppWithReceivers(
  env: Record<string, string> = {},
  timeoutMs = PATIENT.timeout,
  logger?: Logger,
): Promise<AppWithReceivers> {
  const authority = sharedAuthority();
  const names = namesOf({ "receiver.test": ["127.0.0.1"] });
  const outbound = { extraCa: authority.ca, lookup: names.lookup, timeoutMs };
  return {
    ...(await startTestApp({ ...TO_RECEIVERS, ...env }, outbound, undefined, logger)),
    outbound,
    names,
    async receiver() {
      const receiver = await startReceiver({ authority });
      onTestFinished(() => receiver.close());
      return receiver;
    },
  };
}

export interface Subscription {
  id: string;
  secret: string;
  /** `/webhooks/{id}` */
  path: string;
  /** Its deliveries as in the API's list, newest first. */
  deliveries(query?: string): Promise<ListedDelivery[]>;
  /** The states of its deliveries, oldest first. */
  states(): Promise<string[]>;
  /** One of its deliveries with all its attempts. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  log(eventId: string): Promise<any>;
}

export interface ListedDelivery {
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  attributes: Record<string, any>;
}

/** Subscribes an endpoint for the team; removed when the test is finished, so that nothing is sent later on. */
export async function subscribe(
  team: TestTeam,
  endpoint: URL | string,
  body: { events?: string[]; is_active?: boolean; name?: string } = {},
): Promise<Subscription> {
  const asked = { endpoint_url: String(endpoint), events: ["message.received"], ...body };
  const { status: answered, body: created } = await team.post("/webhooks", asked);
  expect(answered).toBe(201);
  const { id } = created.data;
  const path = `/webhooks/${id}`;
  onTestFinished(async () => {
    await team.delete(path);
  });
  const deliveries = async (query = "limit=100") => {
    const answer = await team.get(`${path}/deliveries?${query}`);
    expect(answer.status).toBe(200);
    return answer.body.data as ListedDelivery[];
  };
  return {
    id,
    secret: created.data.attributes[0].signing_secret,
    path,
    deliveries,
    states: async () => (await deliveries()).map(({ attributes }) => attributes.state).toReversed(),
    async log(eventId) {
      const answer = await team.get(`${path}/deliveries/${eventId}`);
      expect(answer.status).toBe(200);
      return answer.body.data;
    },
  };
}

/** Answers that are given when the test says so. */
export interface Held {
  answer: Answer;
  /** The waiting requests, oldest first, without those whose connection has closed. */
  waiting: Exchange[];
  /** The most that have ever waited at once. */
  readonly most: number;
  /** Answers the waiting ones; later ones wait again. */
  letGo(answer?: Answer): void;
}

export function hold(): Held {
  const waiting: Exchange[] = [];
  let most = 0;
  return {
    waiting,
    get most() {
      return most;
    },
    answer(exchange) {
      waiting.push(exchange);
      most = Math.max(most, waiting.length);
      exchange.socket.once("close", () => {
        const place = waiting.indexOf(exchange);
        if (place >= 0) waiting.splice(place, 1);
      });
    },
    letGo(answer = status(200)) {
      for (const exchange of waiting.splice(0)) answer(exchange);
    },
  };
}

/** Resolves when a subscription has so many deliveries, and none of them is under way or due for the first time; oldest first. */
export function settled(subscription: Subscription, count: number): Promise<ListedDelivery[]> {
  return vi.waitFor(async () => {
    const found = await subscription.deliveries();
    expect(found).toHaveLength(count);
    for (const { attributes } of found) {
      expect(attributes.state).not.toBe("sending");
      if (attributes.state === "waiting") expect(attributes.attempt).toBeGreaterThan(1);
    }
    return found.toReversed();
  }, PATIENT);
}

/** The visitor's text in a message.received request. */
export function textOf({ body }: { body: Buffer }): string {
  return JSON.parse(body.toString()).data.message.content;
}
