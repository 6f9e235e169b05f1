import type { AttemptResult } from "@frontdesk/core/domain/retry-schedule";
import type { Database } from "../storage/database.ts";
import type { ClaimedItem } from "./claim-items.ts";
import type { ClaimedRow } from "./outbox-store.ts";

/** Where items of the outbox go: the kinds that this program supports. */
export type ReceiverKind = "webhook" | "channel";

/** A queue within its team, and the kind of its receiver. */
export interface QueueRef {
  queueId: string;
  receiver: string;
}

/** A queue of any team. */
export interface QueueName extends QueueRef {
  teamId: string;
}

/**
 * A kind of receiver. The outbox decides when to send what, and what becomes of it; a receiver sends it. Only the outbox may
 * call its functions.
 */
export interface Receiver {
  /**
   * Reads the resource that a queue belongs to, at the time of the claim; undefined when it is switched off or gone. Called in
   * the claim's own transaction: it reads through `db` alone, and waits for nothing else.
   */
  open(db: Database, queue: QueueName): Promise<OpenQueue | undefined>;
  /** The minimum wait after each attempt, ms. An item itself holds how many attempts it has. */
  waits: readonly number[];
  /** The longest possible wait, including jitter and what the receiver asks for, ms. */
  longestWaitMs: number;
  /** The longest time an attempt takes, ms: `send` ends it by then. */
  attemptTimeoutMs: number;
  /**
   * How many are under way at a time for one queue: at the beginning, at least for a failing one, at most for a working one.
   */
  slots: { first: number; least: number; most: number };
  /**
   * Whether more may be claimed than is sent at once. Claimed items have the state `sending`, so this does not fit receivers
   * whose items are `unknown` after a crash.
   */
  claimsAhead: boolean;
  /** What becomes of items that were claimed by a process that died: sent again, or `unknown`. */
  afterCrash: "resend" | "unknown";
  /** Called after each attempt with its result as one word, for the metrics. */
  onAttempt?(outcome: string): void;
  /**
   * Stores what follows for the items of a process that died, in the transaction that gives them up, and before it does; left out
   * when there is nothing.
   */
  noteLost?(db: Database, queue: QueueName): Promise<unknown>;
  /** Called after each commit that has written how attempts of a team ended, or gave them up. */
  onCommitted?(teamId: string): void;
}

/** A queue as it was at a claim. */
export interface OpenQueue {
  /** Where its items go, for the log. */
  address: string;
  /** The waits of this queue, where they are not those of all (`Receiver.waits`). */
  waits?: readonly number[] | undefined;
  /** When an attempt of a process that died is repeated, once, instead of being `unknown`; left out: never. */
  resendLostAfterMs?: number | undefined;
  /** Reads what sending needs besides the event, in the claim's own transaction; left out when nothing is needed. */
  load?(db: Database, items: readonly ClaimedRow[]): Promise<void>;
  /**
   * Sends one item, outside of any transaction. Never rejects because of the other side: that is a result.
   *
   * @param signal aborted when the queue is switched off, or the process stops and waits no longer
   */
  send(item: ClaimedItem, signal: AbortSignal): Promise<SendResult>;
  /**
   * Writes what the receiver stores about an attempt besides the log, in the transaction that writes how it ended; left out
   * when there is nothing. Called again when that commit was not confirmed.
   */
  noteEnd?(db: Database, item: ClaimedItem, result: SendResult): Promise<unknown>;
}

/**
 * - `accepted`: it arrived
 * - `refused`: it was not accepted, and would not be another time
 * - `retry`: it was not accepted this time; `afterMs` lengthens the wait
 * - `unknown`: it may have arrived, and must not be sent twice; with `resendAfterMs` it is sent once more then
 * - `aborted`: the signal ended it, and sending it again does no harm
 * - `postponed`: it was not sent for a reason that has nothing to do with it; no attempt is used, and it is due after `afterMs`
 */
export type SendOutcome = AttemptResult | { outcome: "aborted" } | { outcome: "postponed"; afterMs: number };

export type SendResult = SendOutcome & {
  /** Why it was not accepted, as one word; null when it was. */
  error: string | null;
  durationMs: number;
  answer: ReceivedAnswer | null;
};

/** The response, for the log. */
export interface ReceivedAnswer {
  status: number | null;
  /** JSON: pairs of names and values. */
  head: string | null;
  body: string | null;
  /** JSON, small: what the receiver stores besides. */
  result: string | null;
}
