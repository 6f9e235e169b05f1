import { type AttemptEnding, isSuccess, retryAfterMs } from "@frontdesk/core/domain/retry-schedule";
import type { Machine } from "../context.ts";
import type { Logger } from "../logger.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { ATTEMPT_TIMEOUT_MS, type PostOutcome } from "../outbound/post.ts";
import type { Storage } from "../storage/database.ts";
import { IMPOSSIBLE_LEASE_MS, KEPT_RESPONSE_BYTES } from "./delivery.ts";
import { endLeases, isSwitchedOn, queueState, queuesWithWork } from "./delivery-store.ts";
import { signedRequest } from "./signed-request.ts";
import { type ClaimedDelivery, type EndedAttempt, type QueueName, takeTurn } from "./take-turn.ts";
import { type WaitingLines, waitingLines } from "./waiting-lines.ts";

/** In flight for one endpoint: where it begins, how low a failing one falls, how high a working one rises. */
const FIRST_PLACES = 4;
const LEAST_PLACES = 2;
const MOST_PLACES = 16;
/** In flight for this process, and how many of them for endpoints whose last attempt failed. */
const ALL_PLACES = 256;
const FAILING_PLACES = 128;
/**
 * Claimed ahead of the places, so that a turn carries many: what the endpoint acknowledges at its present pace in twice the
 * time from turn to turn, within these bounds; and no more of them for one queue, or in all.
 */
const LEAST_AHEAD_MS = 100;
const MOST_AHEAD_MS = 250;
const MOST_AHEAD = 128;
const ALL_AHEAD = 1_024;
/** What is still not sent so long after its claim is laid back: it was signed then, for the address of then. */
const UNSENT_MS = 500;
/** From one turn of a queue to the next, so that a turn carries many. The first one is taken at once. */
const BEAT_MS = 10;
/**
 * Turns at a time. They stand in the same line as the team's other writes: with a turn for each of 1,000 subscriptions of
 * one event, POST /messages waited for all of them (p99 1,236 ms, and 151 ms so, on SQLite). The cap is the team's, so
 * that one whose writes have to wait holds up no other's; on SQLite all teams stand in one line.
 */
const TEAM_TURNS = 4;
const ALL_TURNS = { sqlite: TEAM_TURNS, postgres: 8 * TEAM_TURNS };
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
  /** Claimed and not begun, in the order of the events. */
  ready: ClaimedDelivery[];
  /** What has ended since the last turn. */
  ended: EndedAttempt[];
  /** How many may be under way at present; grows with each success, halved by a failure. */
  places: number;
  failing: boolean;
  /** The turn that is being taken, and how many places wait for what it claims. */
  turn: Promise<void> | undefined;
  reserved: number;
  /** When the last turn began, and before when the next one is not to, of the monotonic clock. */
  turnAt: number;
  waitUntil: number;
  timer: NodeJS.Timeout | undefined;
  /** There may be something to claim. */
  woken: boolean;
  /** What the last turn has found out for the next one (`Turn`). */
  from: number;
  seeksRetries: boolean;
  /** Something was given back during the turn that is being taken. */
  gaveBack: boolean;
  /** The turn before was not confirmed: its commit may have gone through all the same. */
  unsure: boolean;
  /** The address of the last attempt, as it is written and as it is read. */
  endpoint: { href: string; url: URL } | undefined;
  /** Aborted when the subscription is off. Nothing is claimed until all that it has broken off has ended. */
  off: AbortController;
}

/**
 * Sends the deliveries of all teams (docs/decisions/0014).
 *
 * ```
 * wake, poll --> a turn (claim, in one transaction) --> ready --(a place is free)--> under way --> ended
 *                  ^      |                               |                                          |
 *                  |      '---- laid back, unsent <-------' off, stopping, or claimed too long ago   |
 *                  '------------------------- the next turn writes it and claims more <--------------'
 * ```
 * A queue has a turn every 10 ms at most, and sends from what is ready meanwhile. Queues wait in line for their turns and for
 * places, so that none waits for another's endpoint.
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
  /** Queues that have something ready, and a place of their own for it. */
  const toSend = new Set<Queue>();
  /** Queues that have an ending to write; they wait for nothing but turns. */
  const toNote = waitingLines<Queue>();
  /** Queues that want to claim; failing ones have a line and places of their own. */
  const line = waitingLines<Queue>();
  const failingLine = waitingLines<Queue>();
  /** When what is ready was claimed, of the monotonic clock. */
  const claimedAt = new WeakMap<ClaimedDelivery, number>();
  let turns = 0;
  const turnsOf = new Map<string, number>();
  let underWay = 0;
  let ready = 0;
  let failingUnderWay = 0;
  let poll: NodeJS.Timeout | undefined;
  let looking = false;
  let started = false;
  let stopped = false;
  let closed = false;
  const stopListening = storage.hear("webhooks", () => void haltSwitchedOff());

  return {
    start: () => void begin(),
    wake(teamId, webhookIds) {
      if (!started) return;
      for (const webhookId of webhookIds) wakeUp(queueOf({ teamId, webhookId }));
    },
    halt,
    async stop() {
      stopped = true;
      clearInterval(poll);
      stopListening();
      for (const queue of [...queues.values()]) {
        layBack(queue);
        attend(queue);
      }
      const until = performance.now() + STOP_TIMEOUT_MS;
      await Promise.all([...queues.values()].map((queue) => drained(queue, until)));
      closed = true;
    },
  };

  /** What a dead process held is free at once when it is certain that none is left; otherwise when its lease ends. */
  async function begin(): Promise<void> {
    try {
      await storage.joinServers(() => storage.write(null, (db) => db.run(endLeases, {})));
    } catch (error) {
      logger.warn({ err: error }, "Webhooks that were being sent when the server ended are sent again in 15 seconds.");
    }
    if (stopped) return;
    started = true;
    poll = setInterval(() => void look(), POLL_MS).unref();
    await look();
  }

  function queueOf({ teamId, webhookId }: QueueName): Queue {
    const known = queues.get(webhookId);
    if (known) return known;
    const queue: Queue = {
      teamId,
      webhookId,
      underWay: new Set(),
      ready: [],
      ended: [],
      places: FIRST_PLACES,
      failing: false,
      turn: undefined,
      reserved: 0,
      turnAt: Number.NEGATIVE_INFINITY,
      waitUntil: 0,
      timer: undefined,
      woken: false,
      from: 0,
      seeksRetries: true,
      gaveBack: false,
      unsure: false,
      endpoint: undefined,
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
      for (const { team_id, webhook_id } of found) {
        const queue = queueOf({ teamId: team_id, webhookId: webhook_id });
        queue.seeksRetries = true;
        wakeUp(queue);
      }
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "Cannot look for webhook deliveries; trying again shortly.");
    } finally {
      looking = false;
    }
  }

  function wakeUp(queue: Queue): void {
    queue.woken = true;
    attend(queue);
  }

  /** Puts a queue in line for what it can do now; to be called after every change of it. */
  function attend(queue: Queue): void {
    const [oldest] = queue.ready;
    if (oldest && performance.now() - (claimedAt.get(oldest) ?? 0) > UNSENT_MS) layBack(queue);
    if (queue.ready.length > 0 && freePlaces(queue) > 0) toSend.add(queue);
    if (!queue.turn) {
      const claims = queue.woken && freePlaces(queue) > 0;
      if (queue.ended.length > 0 || (stopped && queue.woken)) {
        if (isDue(queue)) toNote.add(queue);
      } else if (claims && isDue(queue)) {
        (queue.failing ? failingLine : line).add(queue);
      }
    }
    proceed();
  }

  /** Whether its next turn may begin; when it may not yet, it is attended to again when it may. */
  function isDue(queue: Queue): boolean {
    const hurry = stopped || queue.off.signal.aborted;
    const dueAt = Math.max(queue.waitUntil, hurry ? 0 : queue.turnAt + BEAT_MS);
    const wait = dueAt - performance.now();
    if (wait <= 0) return true;
    queue.timer ??= setTimeout(() => {
      queue.timer = undefined;
      attend(queue);
    }, wait).unref();
    return false;
  }

  function proceed(): void {
    if (closed) return;
    for (const queue of toSend) {
      if (underWay >= ALL_PLACES) break;
      toSend.delete(queue);
      sendReady(queue);
    }
    giveTurns(toNote, () => true);
    giveTurns(line, () => underWay < ALL_PLACES);
    giveTurns(failingLine, () => underWay < ALL_PLACES && failingUnderWay < FAILING_PLACES);
  }

  function giveTurns(lines: WaitingLines<Queue>, hasPlace: () => boolean): void {
    while (turns < ALL_TURNS[storage.engine] && hasPlace()) {
      const queue = lines.next((teamId) => (turnsOf.get(teamId) ?? 0) < TEAM_TURNS);
      if (!queue) return;
      giveTurn(queue);
    }
  }

  function giveTurn(queue: Queue): void {
    for (const lines of [toNote, line, failingLine]) lines.delete(queue);
    if (queue.off.signal.aborted && queue.underWay.size === 0) queue.off = new AbortController();
    const places = stopped ? 0 : placesFor(queue);
    const ahead = stopped ? 0 : aheadFor(queue);
    // Without a place it does not look for what is due.
    queue.woken = places + ahead === 0 && !stopped;
    queue.reserved = places;
    underWay += places;
    if (queue.failing) failingUnderWay += places;
    queue.turnAt = performance.now();
    countTurn(queue, 1);
    queue.turn = take(queue, places, ahead).finally(() => {
      countTurn(queue, -1);
      queue.turn = undefined;
      attend(queue);
      const isIdle = !queue.turn && queue.underWay.size + queue.ready.length + queue.ended.length === 0;
      if (isIdle && !queue.woken) {
        clearTimeout(queue.timer);
        queues.delete(queue.webhookId);
      }
    });
  }

  function countTurn({ teamId }: Queue, change: 1 | -1): void {
    turns += change;
    const ofTeam = (turnsOf.get(teamId) ?? 0) + change;
    if (ofTeam === 0) turnsOf.delete(teamId);
    else turnsOf.set(teamId, ofTeam);
  }

  /** How many more of its own places it may fill. */
  function freePlaces(queue: Queue): number {
    if (queue.off.signal.aborted && queue.underWay.size > 0) return 0;
    return queue.places - queue.underWay.size - queue.reserved;
  }

  function placesFor(queue: Queue): number {
    const failing = queue.failing ? FAILING_PLACES - failingUnderWay : ALL_PLACES;
    return Math.max(0, Math.min(freePlaces(queue), ALL_PLACES - underWay, failing));
  }

  /** As many as its endpoint acknowledges in a while at the pace of since its last turn, when there are places in plenty. */
  function aheadFor(queue: Queue): number {
    if (queue.failing || queue.off.signal.aborted || underWay > ALL_PLACES / 2) return 0;
    const acknowledged = queue.ended.filter(({ error }) => error === null).length;
    const sinceTurn = performance.now() - queue.turnAt;
    const aheadMs = Math.min(Math.max(2 * sinceTurn, LEAST_AHEAD_MS), MOST_AHEAD_MS);
    const ahead = Math.min(MOST_AHEAD, Math.floor((acknowledged / sinceTurn) * aheadMs));
    return Math.max(0, Math.min(ahead - queue.ready.length, ALL_AHEAD - ready));
  }

  async function take(queue: Queue, places: number, ahead: number): Promise<void> {
    const ended = queue.ended.splice(0);
    const wasFailing = queue.failing;
    const { unsure, from, seeksRetries } = queue;
    const began = queue.turnAt;
    queue.gaveBack = false;
    queue.from = 0;
    queue.seeksRetries = false;
    const underWay = [...queue.underWay, ...queue.ready];
    try {
      const turn = { ownerId, ended, places, ahead, from, seeksRetries, underWay, unsure, waits, longestWaitMs };
      const outcome = await storage.write(queue.teamId, (db) => takeTurn(db, machine, queue, turn));
      queue.unsure = false;
      leavePlaces(queue, places, wasFailing);
      // Whoever switched it off may not have told us yet.
      if (outcome.queue === "off") breakOff(queue);
      if (outcome.queue !== "ours") return;
      makeReady(queue, outcome.claimed, began);
      queue.woken ||= outcome.more;
      queue.from = outcome.from;
      queue.seeksRetries ||= outcome.seeksRetries;
    } catch (error) {
      leavePlaces(queue, places, wasFailing);
      logger.warn({ err: error, webhook: queue.webhookId }, "Webhook deliveries could not be claimed or noted.");
      // What has ended stands in no other place: it is told again.
      queue.ended.unshift(...ended);
      queue.unsure = true;
      queue.seeksRetries = true;
      queue.waitUntil = performance.now() + STORAGE_WAIT_MS;
      queue.woken = true;
    }
  }

  function leavePlaces(queue: Queue, places: number, wasFailing: boolean): void {
    queue.reserved = 0;
    underWay -= places;
    if (wasFailing) failingUnderWay -= places;
  }

  /** @param since when they were claimed */
  function makeReady(queue: Queue, claimed: readonly ClaimedDelivery[], since: number): void {
    for (const delivery of claimed) claimedAt.set(delivery, since);
    queue.ready.push(...claimed);
    ready += claimed.length;
    // What was given back meanwhile goes first in its conversation, so that these are not sent before it.
    const maySend = !queue.gaveBack && !stopped && !queue.off.signal.aborted;
    if (maySend) sendReady(queue);
    if (!maySend || queue.failing) layBack(queue);
  }

  /** Which of what is ready may be sent next: -1 when none may. One place is for what is due again. */
  function nextReady({ ready, underWay }: Queue): number {
    const busy = new Set<string | null>();
    let retries = 0;
    for (const { inOrder, conversation_id } of underWay) {
      if (!inOrder) retries += 1;
      else if (conversation_id !== null) busy.add(conversation_id);
    }
    const retry = ready.findIndex(({ inOrder }) => !inOrder);
    if (retry >= 0 && retries === 0) return retry;
    const first = ready.findIndex(({ inOrder, conversation_id }) => inOrder && !busy.has(conversation_id));
    return first >= 0 ? first : retry;
  }

  function sendReady(queue: Queue): void {
    const hasOwn = () => freePlaces(queue) > 0 && (!queue.failing || failingUnderWay < FAILING_PLACES);
    while (queue.ready.length > 0 && hasOwn()) {
      // It asks again as soon as anybody's attempt ends.
      if (underWay >= ALL_PLACES) return void toSend.add(queue);
      const next = nextReady(queue);
      if (next < 0) return;
      const [delivery] = queue.ready.splice(next, 1);
      ready -= 1;
      underWay += 1;
      if (queue.failing) failingUnderWay += 1;
      if (delivery) void send(queue, delivery, queue.failing);
    }
  }

  /** Gives back what was claimed and not sent; the next turn writes it. */
  function layBack(queue: Queue): void {
    if (queue.ready.length === 0) return;
    for (const delivery of queue.ready) queue.ended.push(unanswered(delivery, "unsent", "unsent"));
    ready -= queue.ready.length;
    queue.ready = [];
    queue.gaveBack = true;
    toSend.delete(queue);
  }

  /** Ends what is under way for a subscription that is off. */
  function breakOff(queue: Queue): void {
    queue.off.abort();
    layBack(queue);
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
      if (queue.failing) layBack(queue);
    }
    onAttempt(ended.ending === "stopped" ? "stopped" : (ended.error ?? "delivered"));
    queue.ended.push(ended);
    attend(queue);
  }

  async function attempt(queue: Queue, delivery: ClaimedDelivery): Promise<EndedAttempt> {
    const { attempt, attemptId: id, startedAt: started_at } = delivery;
    const name = { webhook_id: queue.webhookId, id, attempt, started_at };
    const signed = signedRequest(delivery, name, delivery.secrets());
    if (queue.endpoint?.href !== delivery.endpointUrl) {
      queue.endpoint = { href: delivery.endpointUrl, url: new URL(delivery.endpointUrl) };
    }
    const outcome = await outbound.post({
      url: queue.endpoint.url,
      headers: signed.headers,
      body: signed.body,
      signal: queue.off.signal,
    });
    return endedWith(delivery, outcome, machine.now());
  }

  /** Resolves when nothing of it is under way and all is noted, at the latest at `until`, of the monotonic clock. */
  async function drained(queue: Queue, until: number): Promise<void> {
    const isBusy = () => queue.underWay.size + queue.ready.length + queue.ended.length > 0 || queue.turn;
    while (performance.now() < until && isBusy()) {
      const soon = new Promise((looked) => setTimeout(looked, LET_GO_POLL_MS));
      await (queue.turn ? Promise.race([queue.turn, soon]) : soon);
    }
  }

  async function halt(teamId: string, webhookId: string): Promise<void> {
    // As long as an attempt could still last: another process may have died, or the storage be away.
    const until = performance.now() + ATTEMPT_TIMEOUT_MS;
    const queue = queues.get(webhookId);
    if (queue) {
      breakOff(queue);
      attend(queue);
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
      breakOff(queue);
      wakeUp(queue);
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
