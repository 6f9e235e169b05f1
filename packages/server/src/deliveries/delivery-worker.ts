import { type AttemptEnding, isSuccess, retryAfterMs } from "@frontdesk/core/domain/retry-schedule";
import type { Machine } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { ATTEMPT_TIMEOUT_MS, type PostOutcome } from "../outbound/post.ts";
import type { Storage } from "../storage/database.ts";
import { IMPOSSIBLE_LEASE_MS, KEPT_RESPONSE_BYTES } from "./delivery.ts";
import { isSwitchedOn, queueState, queuesWithWork } from "./delivery-store.ts";
import { signedRequest } from "./signed-request.ts";
import { signingSecrets } from "./signing-secrets.ts";
import { type ClaimedDelivery, type EndedAttempt, type QueueName, takeTurn } from "./take-turn.ts";

/** In flight for one endpoint: where it begins, how low a failing one falls, how high a working one rises. */
const FIRST_PLACES = 4;
const LEAST_PLACES = 2;
const MOST_PLACES = 16;
/** In flight for this process, and how many of them for endpoints whose last attempt failed. */
const ALL_PLACES = 256;
const FAILING_PLACES = 128;
/**
 * Turns at a time. They stand in the same line as the team's other writes: with a turn for each of 1,000 subscriptions of
 * one event, POST /messages waited for all of them (p99 1,236 ms, and 151 ms so, on SQLite).
 */
const MOST_TURNS = 4;
/** Finds what nobody told us of: retries, other processes' events, queues whose process died. */
const POLL_MS = 1_000;
/** After a turn that the storage did not take. */
const STORAGE_WAIT_MS = 1_000;
/** An attempt takes 4 seconds at most; what has not ended then is sent anew by the next process. */
const STOP_TIMEOUT_MS = 5_000;
/** How often is looked whether another process has let go of a queue. */
const LET_GO_POLL_MS = 20;

export interface DeliveryWorker {
  start(): void;
  /** These subscriptions of a team have new deliveries. */
  wake(teamId: string, webhookIds: readonly string[]): void;
  /** Resolves when nothing of a subscription, switched off or removed before, is under way in any process. */
  halt(teamId: string, webhookId: string): Promise<void>;
  /** Sends no more, and waits a while for what is under way. */
  stop(): Promise<void>;
}

/** A subscription that this process has something to do for. */
interface Queue extends QueueName {
  underWay: Set<ClaimedDelivery>;
  /** What has ended since the last turn. */
  ended: EndedAttempt[];
  /** How many may be under way at present; grows with each success, halved by a failure. */
  places: number;
  failing: boolean;
  /** The turn that is being taken. */
  turn: Promise<void> | undefined;
  /** Somebody asked for a turn while one was being taken. */
  again: boolean;
  /** The turn before was not confirmed: its commit may have gone through all the same. */
  unsure: boolean;
  /** Aborted when the subscription is off. Nothing is claimed until all that it has broken off has ended. */
  off: AbortController;
}

/**
 * Sends the deliveries of all teams (docs/decisions/0014).
 *
 * ```
 * wake, poll --> a turn (claim, in one transaction) --> send, outside any --> ended --> a turn (write it, claim more) ...
 * ```
 * Queues wait in line for their turns, so that none waits for another's endpoint.
 */
export function createDeliveryWorker({
  storage,
  machine,
  outbound,
  waits,
  logger,
  onAttempt = () => {},
}: {
  storage: Storage;
  machine: Machine;
  outbound: Outbound;
  /** How long after each attempt the next one follows, ms. */
  waits: readonly number[];
  logger: Logger;
  /** Called after each attempt, for the metrics. */
  onAttempt?: (outcome: string) => void;
}): DeliveryWorker {
  const ownerId = machine.newId();
  const longestWaitMs = Math.max(...waits) * 3;
  const queues = new Map<string, Queue>();
  /** Queues that have an ending to write; they wait for nothing. */
  const toNote = new Set<Queue>();
  /** Queues that want to send, in the order in which they asked; failing ones have a line and places of their own. */
  const line = new Set<Queue>();
  const failingLine = new Set<Queue>();
  let turns = 0;
  let underWay = 0;
  let failingUnderWay = 0;
  let poll: NodeJS.Timeout | undefined;
  let looking = false;
  let started = false;
  let stopped = false;
  let closed = false;
  const stopListening = storage.hear("webhooks", () => void haltSwitchedOff());

  return {
    start() {
      started = true;
      poll = setInterval(() => void look(), POLL_MS).unref();
      void look();
    },
    wake(teamId, webhookIds) {
      if (!started) return;
      for (const webhookId of webhookIds) askForTurn(queueOf({ teamId, webhookId }));
    },
    halt,
    async stop() {
      stopped = true;
      clearInterval(poll);
      stopListening();
      const until = performance.now() + STOP_TIMEOUT_MS;
      await Promise.all([...queues.values()].map((queue) => drained(queue, until)));
      closed = true;
    },
  };

  function queueOf({ teamId, webhookId }: QueueName): Queue {
    const known = queues.get(webhookId);
    if (known) return known;
    const queue: Queue = {
      teamId,
      webhookId,
      underWay: new Set(),
      ended: [],
      places: FIRST_PLACES,
      failing: false,
      turn: undefined,
      again: false,
      unsure: false,
      off: new AbortController(),
    };
    queues.set(webhookId, queue);
    return queue;
  }

  async function look(): Promise<void> {
    if (stopped || looking) return;
    looking = true;
    try {
      const now = machine.steadyNow();
      const far = { far: now + longestWaitMs, lease_far: now + IMPOSSIBLE_LEASE_MS };
      const found = await storage.read((db) => db.all(queuesWithWork, { now, ...far }));
      for (const { team_id, webhook_id } of found) askForTurn(queueOf({ teamId: team_id, webhookId: webhook_id }));
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "Cannot look for webhook deliveries; trying again shortly.");
    } finally {
      looking = false;
    }
  }

  function askForTurn(queue: Queue): void {
    if (queue.turn) queue.again = true;
    else if (queue.ended.length > 0 || stopped) toNote.add(queue);
    // One that is full asks again when an attempt of it ends.
    else if (queue.underWay.size < queue.places) (queue.failing ? failingLine : line).add(queue);
    giveTurns();
  }

  function giveTurns(): void {
    if (closed) return;
    for (const queue of toNote) {
      if (turns >= MOST_TURNS) return;
      giveTurn(queue);
    }
    for (const queue of line) {
      if (turns >= MOST_TURNS || underWay >= ALL_PLACES) break;
      giveTurn(queue);
    }
    for (const queue of failingLine) {
      if (turns >= MOST_TURNS || underWay >= ALL_PLACES || failingUnderWay >= FAILING_PLACES) break;
      giveTurn(queue);
    }
  }

  function giveTurn(queue: Queue): void {
    for (const lined of [toNote, line, failingLine]) lined.delete(queue);
    if (queue.off.signal.aborted && queue.underWay.size === 0) queue.off = new AbortController();
    const places = stopped ? 0 : placesFor(queue);
    // Without a place it has not looked for what is due.
    queue.again = places === 0 && !stopped;
    underWay += places;
    if (queue.failing) failingUnderWay += places;
    turns += 1;
    queue.turn = take(queue, places).finally(() => {
      turns -= 1;
      queue.turn = undefined;
      if (queue.again || queue.ended.length > 0) askForTurn(queue);
      else if (queue.underWay.size === 0) queues.delete(queue.webhookId);
      giveTurns();
    });
  }

  function placesFor(queue: Queue): number {
    if (queue.off.signal.aborted) return 0;
    const own = queue.places - queue.underWay.size;
    const all = ALL_PLACES - underWay;
    const failing = queue.failing ? FAILING_PLACES - failingUnderWay : own;
    return Math.max(0, Math.min(own, all, failing));
  }

  async function take(queue: Queue, places: number): Promise<void> {
    const ended = queue.ended.splice(0);
    const wasFailing = queue.failing;
    const giveBack = (unused: number) => {
      underWay -= unused;
      if (wasFailing) failingUnderWay -= unused;
    };
    try {
      const { unsure } = queue;
      const turn = { ownerId, ended, places, underWay: [...queue.underWay], unsure, waits, longestWaitMs };
      const outcome = await storage.write(queue.teamId, (db) => takeTurn(db, machine, queue, turn));
      queue.unsure = false;
      // Whoever switched it off may not have told us yet.
      if (outcome.queue === "off") queue.off.abort();
      if (outcome.queue !== "ours") return giveBack(places);
      giveBack(places - outcome.claimed.length);
      for (const delivery of outcome.claimed) void send(queue, delivery, wasFailing);
      queue.again ||= outcome.more;
    } catch (error) {
      giveBack(places);
      logger.warn({ err: error, webhook: queue.webhookId }, "Webhook deliveries could not be claimed or noted.");
      // What has ended stands in no other place: it is told again.
      queue.ended.unshift(...ended);
      queue.unsure = true;
      await new Promise((again) => setTimeout(again, STORAGE_WAIT_MS).unref());
      queue.again = true;
    }
  }

  /** Sends one attempt; never rejects. `countsAsFailing`: how its place was counted. */
  async function send(queue: Queue, delivery: ClaimedDelivery, countsAsFailing: boolean): Promise<void> {
    queue.underWay.add(delivery);
    const started = performance.now();
    const ended = await attempt(queue, delivery).catch((error: unknown): EndedAttempt => {
      logger.error({ err: error, webhook: queue.webhookId, event: delivery.event_id }, "A webhook could not be sent.");
      const durationMs = Math.round(performance.now() - started);
      return { ...unanswered(delivery, { answered: false, final: false }, "internal"), durationMs };
    });
    queue.underWay.delete(delivery);
    underWay -= 1;
    if (countsAsFailing) failingUnderWay -= 1;
    if (ended.ending !== "stopped") {
      queue.failing = ended.error !== null;
      queue.places = queue.failing
        ? Math.max(LEAST_PLACES, Math.floor(queue.places / 2))
        : Math.min(MOST_PLACES, queue.places + 1);
    }
    onAttempt(ended.ending === "stopped" ? "stopped" : (ended.error ?? "delivered"));
    queue.ended.push(ended);
    askForTurn(queue);
  }

  async function attempt(queue: Queue, delivery: ClaimedDelivery): Promise<EndedAttempt> {
    const { attempt, attemptId: id, startedAt: started_at } = delivery;
    const secrets = signingSecrets(delivery.secrets, machine.vault, started_at);
    const signed = signedRequest(delivery, { webhook_id: queue.webhookId, id, attempt, started_at }, secrets);
    const outcome = await outbound.post({
      url: new URL(delivery.endpointUrl),
      headers: signed.headers,
      body: Buffer.from(signed.body),
      signal: queue.off.signal,
    });
    return endedWith(delivery, outcome, machine.now());
  }

  /** Resolves when nothing of it is under way and all is noted, at the latest at `until`, of the monotonic clock. */
  async function drained(queue: Queue, until: number): Promise<void> {
    // Never asks for a turn itself: one that is asked for while another is taken follows it at once, for ever.
    while (performance.now() < until && (queue.underWay.size > 0 || queue.turn || queue.ended.length > 0)) {
      const soon = new Promise((looked) => setTimeout(looked, LET_GO_POLL_MS));
      await (queue.turn ? Promise.race([queue.turn, soon]) : soon);
    }
  }

  async function halt(teamId: string, webhookId: string): Promise<void> {
    // As long as an attempt could still last: another process may have died, or the storage be away.
    const until = performance.now() + ATTEMPT_TIMEOUT_MS;
    const queue = queues.get(webhookId);
    if (queue) {
      queue.off.abort();
      await drained(queue, until);
    }
    // Another process hears of it by itself.
    while (performance.now() < until) {
      // While the storage does not answer nobody can tell; the change itself is made, and its caller is not failed for it.
      const looked = storage.first(queueState, { team_id: teamId, webhook_id: webhookId });
      const state = await looked.catch(() => "unknown" as const);
      if (state !== "unknown" && (state?.owner_id == null || state.lease_until <= machine.steadyNow())) return;
      await new Promise((soon) => setTimeout(soon, LET_GO_POLL_MS));
    }
  }

  /** Another process has switched something off: aborts what this one still sends to it. */
  async function haltSwitchedOff(): Promise<void> {
    for (const queue of [...queues.values()]) {
      const name = { team_id: queue.teamId, webhook_id: queue.webhookId };
      // While the storage does not answer, nothing is claimed either, and what is under way ends by itself.
      const webhook = await storage.first(isSwitchedOn, name).catch(() => "unknown");
      if (webhook) continue;
      queue.off.abort();
      askForTurn(queue);
    }
  }
}

function endedWith(delivery: ClaimedDelivery, outcome: PostOutcome, now: number): EndedAttempt {
  const { durationMs } = outcome;
  if (outcome.outcome === "failed") {
    if (outcome.error === "aborted") return { ...unanswered(delivery, "stopped", "stopped"), durationMs };
    return { ...unanswered(delivery, { answered: false, final: outcome.final }, outcome.error), durationMs };
  }
  const { status, responseHead, responseBody } = outcome;
  const ending: AttemptEnding = {
    answered: true,
    status,
    retryAfterMs: retryAfterMs(responseHead["retry-after"], now),
  };
  return {
    delivery,
    ending,
    durationMs,
    error: isSuccess(status) ? null : status === 410 ? "gone" : "status",
    status,
    responseHead: JSON.stringify(responseHead),
    responseBody: keptText(responseBody),
  };
}

function unanswered(delivery: ClaimedDelivery, ending: EndedAttempt["ending"], error: string): EndedAttempt {
  return { delivery, ending, durationMs: 0, error, status: null, responseHead: null, responseBody: null };
}

/** The beginning of a body as text for the log; what is no UTF-8 is shown as such, and NUL, which PostgreSQL refuses, left out. */
const keptText = (body: Buffer): string => body.subarray(0, KEPT_RESPONSE_BYTES).toString("utf8").replaceAll("\0", "");
