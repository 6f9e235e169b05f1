import type { OperationName } from "@frontdesk/core/domain/policy";
import type { Actor } from "./access/actor.ts";
import type { Vault } from "./access/vault.ts";
import type { ModelNetwork } from "./ai/model/base-url.ts";
import type { ModelConnection } from "./ai/model/model-client.ts";
import type { EventFacts } from "./events/event.ts";
import type { JobRequest } from "./jobs/job.ts";
import type { TimedList } from "./lists/list-start.ts";
import type { ChannelHosts } from "./outbound/channel-hosts.ts";
import type { QueueRef } from "./outbox/receiver.ts";
import type { Database } from "./storage/database.ts";
import type { Statement } from "./storage/statement.ts";
import type { TeamCountersRow } from "./storage/tables.ts";
import type { TimerKind, TimerRequest } from "./timers/timer.ts";

/**
 * One thing that the product can do, whoever asks for it. Only `perform` calls it.
 *
 * `run` reads and writes through `ctx.db` alone and waits for nothing else: it runs inside a transaction (invariant 3). It
 * throws a `Refusal` when it will not act.
 */
export interface Operation<Input, Result> {
  name: OperationName;
  mode: "read" | "write";
  /**
   * Whether this input may take the process long. An actor has one such operation under way at a time; the others wait in
   * order.
   */
  oneAtATime?(input: Input): boolean;
  run(ctx: Context, input: Input): Promise<Result>;
}

/** Everything that an operation may use (invariants 4 and 7). */
export interface Context {
  actor: Actor;
  /** The requested operation; unchanged where one operation runs another. */
  operation: OperationName;
  /** The team of the operation; every statement filters by it. */
  teamId: string;
  db: Database;
  /** The time of this unit of work, ms since the epoch. */
  now: number;
  newId(): string;
  /** `bytes` random bytes. */
  random(bytes: number): Buffer;
  vault: Vault;
  /**
   * Sends a change without waiting for it; later reads see it, and the commit waits for it. When it fails, the whole unit of
   * work fails.
   */
  write<P>(statement: Statement<P, unknown>, params: P): void;
  /** Appends an event to the team's log, in this same commit. */
  record(event: EventFacts): void;
  /** Changes a stored total of the team, in this same commit. */
  count(total: TeamTotal, change: number): void;
  /** Counts a row of a list ordered by time as added (`to`), removed (`from`) or moved (both), in this same commit. */
  moveInList(list: TimedList, from: number | undefined, to: number | undefined): void;
  /**
   * Nothing of a queue of the outbox may be sent after this commit. The caller of the operation gets its result when nothing is
   * under way any more.
   */
  haltQueue(queue: QueueRef): void;
  /** Wakes a queue of the outbox for items besides the events of this commit. */
  wakeQueue(queue: QueueRef): void;
  /** Stores a job in this same commit; it runs after it. */
  enqueue(job: JobRequest): void;
  /** Sets the timer of a subject, or moves it, in this same commit. */
  setTimer(timer: TimerRequest): void;
  /** Cancels the timer of a subject in this same commit; nothing happens when it is not set. */
  cancelTimer(kind: TimerKind, subjectId: string): void;
  /** Whether e-mail can be sent. */
  sendsMail: boolean;
  /** Where browsers open Frontdesk, for links in e-mails; without a slash at its end. */
  publicUrl: string;
  /** The channels that replies are sent through: those that have a driver. */
  sendingChannels: ReadonlySet<string>;
  /** Which hosts channel accounts may have. */
  channelHosts: ChannelHosts;
  /** The language model of teams that choose none; undefined when the operator has set none. */
  operatorModel: ModelConnection | undefined;
  /**
   * A turn of an AI is due then, ms since the epoch, once this is committed.
   *
   * @param asked the conversation in which a visitor has written, and waits for it
   */
  turnDue(dueAt: number, asked?: string): void;
  /** Where the model servers of teams may be. */
  modelNetwork: ModelNetwork;
}

export type TeamTotal = Exclude<keyof TeamCountersRow, "team_id" | "event_number">;

/** What the process gives to every unit of work. */
export interface Runtime {
  now(): number;
  /** Like `now`, but steady when the machine's clock is set: for waits and leases. */
  steadyNow(): number;
  newId(): string;
  random(bytes: number): Buffer;
  vault: Vault;
  /** Left out: no e-mail can be sent. */
  sendsMail?: boolean;
  /** Left out: links in e-mails lead nowhere. */
  publicUrl?: string;
  /** Left out: replies are sent through no channel. */
  sendingChannels?: ReadonlySet<string>;
  /** Left out: only hosts of the internet. */
  channelHosts?: ChannelHosts;
  /** Left out: teams choose a model themselves. */
  operatorModel?: ModelConnection | undefined;
  /** Left out: only servers of the internet. */
  modelNetwork?: ModelNetwork;
}
