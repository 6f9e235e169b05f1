import { type OperationName, policyOf, roleMay, scopesFor } from "@frontdesk/core/domain/policy";
import { enrolFirst, notAllowed, verifyAgain } from "@frontdesk/core/domain/refusal";
import { isFresh } from "@frontdesk/core/domain/ways-in";
import type { Actor } from "./access/actor.ts";
import { actorRecord } from "./access/by-actor.ts";
import { modelNetwork } from "./ai/model/base-url.ts";
import type { Context, Operation, Runtime, TeamTotal } from "./context.ts";
import type { EventFacts } from "./events/event.ts";
import { appendEvents } from "./events/record-event.ts";
import { enqueueJob } from "./jobs/job-store.ts";
import { serializeByKey } from "./limits/serialize-by-key.ts";
import { addToMove, type ListMoves, writeMoves } from "./lists/list-moves.ts";
import { channelHosts } from "./outbound/channel-hosts.ts";
import type { QueueRef } from "./outbox/receiver.ts";
import type { Database, Storage } from "./storage/database.ts";
import { dropTimer, storeTimer } from "./timers/timer-store.ts";

/** Everything that reads or changes the product passes here, whoever asks. */
export type Perform = <Input, Result>(
  actor: Actor,
  operation: Operation<Input, Result>,
  input: Input,
) => Promise<Result>;

/**
 * The consumers of a commit. A lost call costs latency, never a message: the log, the jobs and the timers are in the database.
 */
export interface Consumers {
  /** The team has new events. */
  news(teamId: string): void;
  /** The team has new jobs. */
  jobs(teamId: string): void;
  /** The earliest timer that was set is due then, ms since the epoch. */
  timers(dueAt: number): void;
  /** The earliest turn of an AI is due then, ms since the epoch; `asked`: the conversations in which visitors wait for one. */
  turns(teamId: string, dueAt: number, asked: readonly string[]): void;
  /** These queues of the team's outbox have new items. */
  outbox(teamId: string, queues: readonly QueueRef[]): void;
  /** A queue was switched off or removed; resolves when nothing of it is sent any more, in any process. */
  haltQueue(teamId: string, queue: QueueRef): Promise<void>;
}

const NO_CHANNELS: ReadonlySet<string> = new Set();
const INTERNET_HOSTS = channelHosts([]);
const INTERNET_MODELS = modelNetwork({ aiAllowedNetworks: [], ai: undefined });

/**
 * ```
 * may this actor do it?  ->  begin  ->  operation.run(ctx, input)  ->  totals, episodes, events and what follows them  ->  commit  ->  wake consumers
 * ```
 * Result and events are durable when the promise resolves; nothing has happened when it rejects.
 *
 * @throws Refusal when the actor may not, or the operation will not
 * @throws StorageUnavailable when the database cannot be reached
 */
export function createPerform(storage: Storage, runtime: Runtime, consumers: Partial<Consumers> = {}): Perform {
  const inOrderOf = serializeByKey();
  return async (actor, operation, input) => {
    requireMay(actor, operation.name, runtime.now());
    if (operation.mode === "read") {
      const read = () =>
        storage.read((db) => operation.run(openContext(runtime, actor, operation.name, db).ctx, input));
      // Before the transaction: while it waits it must hold no connection.
      return operation.oneAtATime?.(input) ? inOrderOf(actorKey(actor), read) : read();
    }
    let recorded = 0;
    let enqueued = 0;
    let nextTimer = Number.POSITIVE_INFINITY;
    let nextTurn = Number.POSITIVE_INFINITY;
    let asked: readonly string[] = [];
    let queued: QueueRef[] = [];
    let halted: readonly QueueRef[] = [];
    const result = await storage.write(actor.teamId, async (db) => {
      const unit = openContext(runtime, actor, operation.name, db);
      const append = () => {
        writeMoves(unit.ctx, unit.moves);
        return appendEvents(unit.ctx, unit.totals, unit.events);
      };
      const run = async () => ({ value: await operation.run(unit.ctx, input), queues: await append() });
      const { value, queues } = await run().catch(async (error) => {
        // A failed write makes later reads fail too; the first failure is the cause.
        await unit.written();
        throw error;
      });
      await unit.written();
      queued = [...unit.woken, ...queues];
      halted = unit.halted;
      recorded = unit.events.length;
      enqueued = unit.jobs();
      nextTimer = unit.nextTimer();
      nextTurn = unit.nextTurn();
      asked = unit.asked;
      return value;
    });
    if (recorded > 0) consumers.news?.(actor.teamId);
    if (enqueued > 0) consumers.jobs?.(actor.teamId);
    if (nextTimer < Number.POSITIVE_INFINITY) consumers.timers?.(nextTimer);
    if (nextTurn < Number.POSITIVE_INFINITY) consumers.turns?.(actor.teamId, nextTurn, asked);
    if (queued.length > 0) consumers.outbox?.(actor.teamId, queued);
    await Promise.all(halted.map((queue) => consumers.haltQueue?.(actor.teamId, queue)));
    return result;
  };
}

/** Reads the row of `policy`; the only place that decides whether an actor may do it. */
export function mayPerform(actor: Actor, name: OperationName): boolean {
  const { assistant, visitor, automation, channel, ai } = policyOf(name);
  switch (actor.kind) {
    case "system":
      return true;
    case "assistant":
      return assistant?.some((permission) => actor.permissions.includes(permission)) ?? false;
    case "visitor":
      return visitor === true;
    case "automation":
      return automation === true;
    case "channel":
      return channel === true;
    case "ai":
      return ai === true;
    case "api-key":
      return scopesFor(name)?.every((scope) => actor.scopes.includes(scope)) ?? false;
    case "agent":
      return roleMay(actor.role, name);
    default:
      return actor satisfies never;
  }
}

/**
 * Checked by `perform`, and by a route that does something before it: compares a password, or fetches the document of an app.
 *
 * @throws Refusal `not-allowed` when the actor may not, or a signed-in agent has to add a second factor first; `verify-again` when
 *   they have to prove who they are
 */
export function requireMay(actor: Actor, name: OperationName, now: number): void {
  if (!mayPerform(actor, name)) throw notAllowed(actor.kind === "agent" ? "role" : "not-allowed");
  if (actor.kind !== "agent") return;
  const { enrolment, fresh } = policyOf(name);
  if (actor.reach === "enrolment" && !enrolment) throw enrolFirst();
  if (fresh && !isFresh(actor.verifiedAt, now)) throw verifyAgain();
}

function actorKey(actor: Actor): string {
  const { kind, id } = actorRecord(actor);
  return `${actor.teamId} ${kind} ${id}`;
}

function openContext(runtime: Runtime, actor: Actor, operation: OperationName, db: Database) {
  const events: EventFacts[] = [];
  const totals = new Map<TeamTotal, number>();
  const moves: ListMoves = new Map();
  const writes: Promise<unknown>[] = [];
  const halted: QueueRef[] = [];
  const woken: QueueRef[] = [];
  const asked: string[] = [];
  let jobs = 0;
  let nextTimer = Number.POSITIVE_INFINITY;
  let nextTurn = Number.POSITIVE_INFINITY;
  const ctx: Context = {
    actor,
    operation,
    teamId: actor.teamId,
    db,
    now: runtime.now(),
    newId: runtime.newId,
    random: runtime.random,
    vault: runtime.vault,
    sendsMail: runtime.sendsMail === true,
    publicUrl: runtime.publicUrl ?? "",
    sendingChannels: runtime.sendingChannels ?? NO_CHANNELS,
    channelHosts: runtime.channelHosts ?? INTERNET_HOSTS,
    operatorModel: runtime.operatorModel,
    turnDue: (dueAt, conversationId) => {
      nextTurn = Math.min(nextTurn, dueAt);
      if (conversationId !== undefined) asked.push(conversationId);
    },
    modelNetwork: runtime.modelNetwork ?? INTERNET_MODELS,
    write: (statement, params) => {
      const written = db.run(statement, params);
      // It is awaited at the end; until then its failure must not count as unhandled.
      written.catch(() => {});
      writes.push(written);
    },
    record: (event) => events.push(event),
    count: (total, change) => totals.set(total, (totals.get(total) ?? 0) + change),
    moveInList: (list, from, to) => {
      if (from !== undefined) addToMove(moves, list, from, -1);
      if (to !== undefined) addToMove(moves, list, to, 1);
    },
    haltQueue: (queue) => {
      db.announce("outbox");
      halted.push(queue);
    },
    wakeQueue: (queue) => woken.push(queue),
    enqueue: (job) => {
      jobs += 1;
      enqueueJob(ctx, job);
    },
    setTimer: (timer) => {
      nextTimer = Math.min(nextTimer, timer.dueAt);
      storeTimer(ctx, timer);
    },
    cancelTimer: (kind, subjectId) => dropTimer(ctx, kind, subjectId),
  };
  return {
    ...{ ctx, events, totals, moves, halted, woken, asked },
    jobs: () => jobs,
    nextTimer: () => nextTimer,
    nextTurn: () => nextTurn,
    written: () => Promise.all(writes),
  };
}
