/** The four measurements of `npm run bench:webhooks`, explained in docs/benchmarks.md. */
import { callApi, callMany } from "./call-api.ts";
import { type Place, startBeside } from "./processes.ts";
import { quantile } from "./quantile.ts";
import type { Sent } from "./steady-load.ts";
import type { FloorCommands } from "./webhook-floor.ts";
import type { Note, Notes } from "./webhook-receiver.ts";
import { hostNumber, messagesTo, onScene, residentMemory, runSql, type Scene, subscribe } from "./webhook-scene.ts";

/** After this silence the missing ones are lost. Longer than a lease and the poll for abandoned work. */
const QUIET_MS = 20_000;
/** The service's bound of attempts in flight per endpoint, and the floor's fixed concurrency. */
const IN_FLIGHT = 16;
/** All at once, as far as the connections allow. */
const AS_FAST_AS_IT_GOES = 1_000_000;

/** Times in ms. */
export interface Spread {
  p50: number;
  p95: number;
  p99: number;
}

/** Losses must be 0 for everything accepted; the others may occur but are reported. */
export interface Losses {
  /** Requests that were not answered with 2xx: their messages need not be delivered. */
  refused: number;
  lost: number;
  /** Arrived more than once. */
  duplicates: number;
}

export interface Receipt extends Losses {
  rate: number;
  /** Answers per second. */
  accepted: number;
  /** From the commit, by the envelope's `occurred_at`, to the arrival. */
  sinceCommit: Spread;
  /** From the request's answer to the arrival; 0 when the delivery came first. */
  sinceAnswer: Spread;
  /** From when the request was due to the arrival. */
  sinceRequest: Spread;
  /** Latency of the request itself, from when it was due. */
  answer: Spread;
}

/** Agents' answers at fixed rates, one subscription, and the delay of each delivery after its commit. */
export function measureReceipts(
  place: Place,
  { rates, seconds, warmUpSeconds }: { rates: readonly number[]; seconds: number; warmUpSeconds: number },
): Promise<Receipt[]> {
  return onScene(place, async (scene) => {
    await subscribe(scene, scene.endpoint(), "message.sent");
    // Warm-up, so that the first rate does not pay for cold code.
    await send({ rate: Math.max(...rates), seconds: warmUpSeconds });
    const receipts: Receipt[] = [];
    for (const rate of rates) {
      const { sent, taken, warm } = await send({ rate, seconds: warmUpSeconds + seconds });
      const arrivals = new Map(taken.notes.toReversed().map((note) => [note.messageId, note]));
      const measured = sent.filter(({ dueAt }) => dueAt >= warm);
      const arrived = measured.flatMap((one) => {
        const note = arrivals.get(one.id ?? "");
        return note ? [{ ...one, ...note }] : [];
      });
      receipts.push({
        rate,
        accepted: acceptedPerSecond(measured),
        sinceCommit: spread(arrived.map(sinceCommit)),
        sinceAnswer: spread(arrived.map(({ answeredAt, arrivedAt }) => Math.max(0, arrivedAt - answeredAt))),
        sinceRequest: spread(arrived.map(({ dueAt, arrivedAt }) => arrivedAt - dueAt)),
        answer: spread(measured.map(({ dueAt, answeredAt }) => answeredAt - dueAt)),
        ...losses(sent, taken),
      });
    }
    return receipts;

    async function send(load: { rate: number; seconds: number }) {
      await scene.receiver.ask("takeNotes");
      const sent = await scene.send({ rate: load.rate, count: load.rate * load.seconds });
      await scene.receiver.ask("expect", { deliveries: accepted(sent).length, quietMs: QUIET_MS });
      const first = sent.reduce((least, { dueAt }) => Math.min(least, dueAt), Number.POSITIVE_INFINITY);
      return { sent, taken: await scene.receiver.ask("takeNotes"), warm: first + warmUpSeconds * 1_000 };
    }
  });
}

export interface Sustained extends Losses {
  deliveries: number;
  /** Deliveries a second, from the first arrival to the last. */
  ours: number;
  floor: number;
  ratio: number;
}

/** Pending first attempts of one subscription, sent at full speed, beside the floor; one result per round. */
export function measureSustained(
  place: Place,
  { deliveries, rounds }: { deliveries: number; rounds: number },
): Promise<Sustained[]> {
  return onScene(place, async (scene) => {
    const floor = startBeside<FloorCommands>("webhook-floor.ts");
    const sent = await scene.send({ rate: AS_FAST_AS_IT_GOES, count: deliveries });
    const results: Sustained[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const webhookId = await subscribe(scene, scene.endpoint(), "message.sent");
      await scene.receiver.ask("takeNotes");
      await runSql(scene, queueAllOf(webhookId));
      await scene.receiver.ask("expect", { deliveries, quietMs: QUIET_MS });
      const ours = await scene.receiver.ask("takeNotes");
      await callApi(scene.api, "DELETE", `/webhooks/${webhookId}`);

      const body = await scene.receiver.ask("lastBody");
      const spec = { url: scene.endpoint(), ca: scene.ca, body, count: deliveries, inFlight: IN_FLIGHT };
      const failed = await floor.ask("run", spec);
      if (failed > 0) throw new Error(`${failed} requests of the floor failed.`);
      const theirs = await scene.receiver.ask("takeNotes");
      const [oursPerSecond, floorPerSecond] = [perSecond(ours.notes), perSecond(theirs.notes)];
      results.push({
        deliveries,
        ours: oursPerSecond,
        floor: floorPerSecond,
        ratio: oursPerSecond / floorPerSecond,
        ...losses(sent, ours),
      });
    }
    return results;
  });
}

/** What each commit does for a subscription (`webhooks/queue-deliveries.ts`), inserted afterwards. */
const queueAllOf = (
  webhookId: string,
): string => `INSERT INTO outbox_items (team_id, queue_id, event_number, receiver, event_id,
    event_name, order_key, state, attempt, last_attempt, run_at, created_at)
  SELECT team_id, '${webhookId}', number, 'webhook', id, name, conversation_id, 'waiting', 1, 4, 0, occurred_at
  FROM events WHERE name = 'message.sent';
  INSERT INTO outbox_queues (team_id, queue_id, receiver, lease_until, due_at, failures)
  SELECT team_id, id, 'webhook', 0, 0, 0 FROM webhooks WHERE id = '${webhookId}'`;

export interface FanOut extends Losses {
  subscriptions: number;
  /** One host for all of them, or one each, with its own connection and TLS handshake. */
  hosts: "one" | "each";
  /** From the commit to the arrival at the last subscription; one figure per round. */
  allArrived: number[];
  /** From the commit to each arrival. */
  sinceCommit: Spread;
  /** The requests that caused the events: each commit has a row for every subscription. */
  trigger: Spread;
  /** Other requests of the team meanwhile (POST /messages, which has no subscription), and before. */
  meanwhile: Spread;
  idle: Spread;
}

/** One event for many subscriptions, a few times, while agents go on writing. */
export function measureFanOut(
  place: Place,
  options: { subscriptions: number; rounds: number; idleSeconds: number; rate: number },
): Promise<FanOut[]> {
  const { subscriptions, rounds, idleSeconds, rate } = options;
  return onScene(place, async (scene) => {
    const toResolve = scene.conversations.splice(0, rounds * 2);
    const webhooks = await callMany(subscriptions, (n) =>
      subscribe(scene, scene.endpoint(hostNumber(n)), "conversation.resolved"),
    );
    const each = await measureOne("each");
    await callMany(subscriptions, (n) =>
      callApi(scene.api, "PATCH", `/webhooks/${webhooks[n]}`, { endpoint_url: scene.endpoint() }),
    );
    return [each, await measureOne("one")];

    async function measureOne(hosts: FanOut["hosts"]): Promise<FanOut> {
      const idle = await scene.send({ rate, count: rate * idleSeconds });
      await scene.receiver.ask("takeNotes");
      const writing = scene.send({ rate, count: Number.MAX_SAFE_INTEGER });
      const triggers: Sent[] = [];
      for (const conversation of toResolve.splice(0, rounds)) {
        triggers.push(await resolve(scene, conversation));
        const deliveries = triggers.length * subscriptions;
        if (!(await scene.receiver.ask("expect", { deliveries, quietMs: QUIET_MS }))) break;
      }
      await scene.stopSending();
      const meanwhile = await writing;
      const { notes } = await scene.receiver.ask("takeNotes");
      const lastOf = new Map<string, number>();
      for (const note of notes) lastOf.set(note.eventId, Math.max(lastOf.get(note.eventId) ?? 0, sinceCommit(note)));
      return {
        subscriptions,
        hosts,
        allArrived: [...lastOf.values()],
        sinceCommit: spread(notes.map(sinceCommit)),
        trigger: spread(triggers.map(answerTime)),
        meanwhile: spread(meanwhile.map(answerTime)),
        idle: spread(idle.map(answerTime)),
        refused: refusedOf([...idle, ...meanwhile]),
        lost: triggers.length * subscriptions - different(notes),
        duplicates: notes.length - different(notes),
      };
    }
  });
}

async function resolve({ api }: Scene, conversation: string): Promise<Sent> {
  const dueAt = performance.now();
  await callApi(api, "POST", `/conversations/${conversation}/resolve`, { status: "resolved" });
  return { method: "POST", dueAt, answeredAt: performance.now(), status: 200 };
}

export interface Drain extends Losses {
  deliveries: number;
  /** From the request that requeued them all until the last had arrived, seconds. */
  seconds: number;
  /** At the receiver, which takes `answerAfterMs` for each. */
  mostInFlight: number;
  answerAfterMs: number;
  /** Requests of the team while the backlog drains, and before: their deliveries go to the same subscriber. */
  meanwhile: { get: Spread; post: Spread };
  idle: { get: Spread; post: Spread };
  /** Bytes. */
  memoryBefore: number;
  memoryAfter: number;
}

/** A subscriber's outage, its end, and the effect on the team's requests. */
export function measureDrain(
  place: Place,
  options: { deliveries: number; idleSeconds: number; rate: number; answerAfterMs: number },
): Promise<Drain> {
  const { deliveries, idleSeconds, rate, answerAfterMs } = options;
  // Retries a day away: failed deliveries wait for the replay, all together.
  const settings = { WEBHOOK_RETRY_SECONDS: "86400,86400,86400" };
  return onScene(place, drain, settings);

  async function drain(scene: Scene): Promise<Drain> {
    const since = new Date(Date.now() - 1_000).toISOString();
    const webhook = `/webhooks/${await subscribe(scene, scene.endpoint(), "message.sent")}`;
    await scene.receiver.ask("answerWith", { status: 503, afterMs: 0 });
    const missed = await scene.send({ rate: AS_FAST_AS_IT_GOES, count: deliveries });
    await scene.receiver.ask("expect", { refused: accepted(missed).length, quietMs: QUIET_MS });
    const occurredUntil = new Date().toISOString();
    await callApi(scene.api, "PATCH", webhook, { is_active: false });

    // It works again. First the cost of the requests alone.
    await scene.receiver.ask("answerWith", { status: 200, afterMs: answerAfterMs });
    await callApi(scene.api, "PATCH", webhook, { is_active: true });
    const get = { method: "GET", path: "/api/v1/conversations/all", headers: { "X-API-KEY": scene.api.apiKey } };
    const requests = messagesTo(scene.api, scene.conversations).flatMap((post) => [get, post]);
    const idle = await scene.send({ rate, count: rate * idleSeconds, requests });
    const memoryBefore = await residentMemory(scene);

    const writing = scene.send({ rate, count: Number.MAX_SAFE_INTEGER, requests });
    const from = Date.now();
    await callApi(scene.api, "POST", `${webhook}/replay`, { since });
    const drained = { deliveries: accepted(missed).length, occurredUntil, quietMs: QUIET_MS };
    await scene.receiver.ask("expect", drained);
    const memoryAfter = await residentMemory(scene);
    await scene.stopSending();
    const meanwhile = await writing;
    const sent = [...missed, ...idle, ...meanwhile].filter(({ method }) => method === "POST");
    await scene.receiver.ask("expect", { deliveries: accepted(sent).length, quietMs: QUIET_MS });
    const taken = await scene.receiver.ask("takeNotes");
    const ofBacklog = taken.notes.filter(({ occurredAt }) => occurredAt <= occurredUntil);
    return {
      deliveries,
      seconds: (Math.max(...ofBacklog.map(({ arrivedAt }) => arrivedAt)) - from) / 1_000,
      mostInFlight: taken.mostInFlight,
      answerAfterMs,
      meanwhile: byMethod(meanwhile),
      idle: byMethod(idle),
      memoryBefore,
      memoryAfter,
      ...losses(sent, taken),
    };
  }
}

function byMethod(sent: readonly Sent[]): Drain["idle"] {
  const of = (method: string) => spread(sent.filter((one) => one.method === method).map(answerTime));
  return { get: of("GET"), post: of("POST") };
}

/** `occurred_at` is the clock at the start of the unit of work, without its fraction of a ms: never later than the commit. */
const sinceCommit = ({ arrivedAt, occurredAt }: Note): number => arrivedAt - Date.parse(occurredAt);

const answerTime = ({ dueAt, answeredAt }: Sent): number => answeredAt - dueAt;

function spread(values: readonly number[]): Spread {
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95), p99: quantile(values, 0.99) };
}

const isAccepted = ({ status }: Sent): boolean => status >= 200 && status <= 299;
const accepted = (sent: readonly Sent[]): Sent[] => sent.filter(isAccepted);
const refusedOf = (sent: readonly Sent[]): number => sent.length - accepted(sent).length;

function acceptedPerSecond(sent: readonly Sent[]): number {
  const ends = accepted(sent).map(({ answeredAt }) => answeredAt);
  return ends.length / ((Math.max(...ends) - Math.min(...sent.map(({ dueAt }) => dueAt))) / 1_000);
}

function perSecond(notes: readonly Note[]): number {
  const [first, last] = [notes[0]?.arrivedAt ?? 0, notes.at(-1)?.arrivedAt ?? 0];
  return ((notes.length - 1) * 1_000) / (last - first);
}

const different = (notes: readonly Note[]): number =>
  new Set(notes.map(({ eventId, webhookId }) => `${eventId} ${webhookId}`)).size;

/** Each accepted message, by its id, with its arrivals. */
function losses(sent: readonly Sent[], { notes }: Notes): Losses {
  const arrived = new Set(notes.map(({ messageId }) => messageId));
  return {
    refused: refusedOf(sent),
    lost: accepted(sent).filter(({ id }) => !arrived.has(id ?? "")).length,
    duplicates: notes.length - different(notes),
  };
}
