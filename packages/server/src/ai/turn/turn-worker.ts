import type { Runtime } from "../../context.ts";
import type { Bus } from "../../events/bus.ts";
import { holdLease } from "../../jobs/hold-lease.ts";
import type { Logger } from "../../logger.ts";
import type { Storage } from "../../storage/database.ts";
import type { Timeouts } from "../../timeouts.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { TURN_LIFE_MS } from "./decide-without-model.ts";
import { runTurn, type TurnServices } from "./run-turn.ts";
import type { EndedTurn } from "./turn.ts";
import { claimTurn, type DueTurn, dueTurns, freeEveryTurn, renewTurn, turnWithSpeaker } from "./turn-store.ts";
import { visitorsTyping } from "./visitors-typing.ts";

/** How often to look for turns that no commit of this process has announced, and for those of processes that have died. */
const LOOK_MS = 1_000;
/** Renewed every 5 s. */
const LEASE_MS = 15_000;
/** Turns at once in a process. Those that are too old need no model, and wait for no place. */
const PLACES = 8;
/** How many due turns are looked at. */
const LOOKED_AT = 64;
/** How long turns under way may go on after a stop; they are run again by another process. */
const STOP_TIMEOUT_MS = 2_000;

export interface TurnWorker {
  start(): void;
  /** The earliest turn is due then, ms since the epoch. Who waits for one sees the AI type at once. */
  wake(teamId: string, dueAt: number, asked: readonly string[]): void;
  /** A visitor has begun or stopped to type, in any process. */
  visitorTypes(conversationId: string, isTyping: boolean): void;
  /** Begins no turn, ends the requests under way, and waits a while for what ends. */
  stop(): Promise<void>;
}

/** A turn under way in this process. */
interface Running {
  turn: DueTurn;
  claim: string;
  abort: AbortController;
  ended: Promise<void>;
}

/**
 * Runs the turns of the AI of all teams, in a lane of their own (docs/decisions/0075-turns-of-the-ai.md).
 *
 * ```
 *   none --a visitor writes--> due --claim, by compare and set--> running --> said | asked | handed over | resolved
 *                               ^                                  |  |
 *                               |<--the lease runs out-------------'  '--> dropped: another voice, resolved, off
 *                               '<--dropped: a newer message, or given back by a process that stops
 * ```
 */
export function createTurnWorker({
  storage,
  runtime,
  bus,
  logger,
  onEnd = () => {},
  ...services
}: Omit<TurnServices, "runtime"> & {
  storage: Storage;
  runtime: Runtime;
  bus: Pick<Bus, "subscribe">;
  logger: Logger;
  /** Called after each turn, for the metrics. */
  onEnd?: (ended: EndedTurn, seconds: number) => void;
}): TurnWorker {
  const { timeouts } = services;
  const running = new Map<string, Running>();
  let cancelLook = () => {};
  const wakes = new Set<() => void>();
  const typing = visitorsTyping(runtime.now);
  let looking: Promise<void> | undefined;
  let again = false;
  let started = false;
  let stopped = false;
  const unsubscribe = bus.subscribe((teamId) => void abortOvertaken(storage, running, teamId));

  return {
    start: () => void begin(),
    wake(teamId, dueAt, asked) {
      if (!started || stopped) return;
      if (asked.length > 0) void showTyping({ storage, ...services }, teamId, asked);
      lookAt(dueAt);
    },
    visitorTypes: typing.heard,
    async stop() {
      stopped = true;
      cancelLook();
      for (const cancel of wakes) cancel();
      unsubscribe();
      await looking;
      for (const { abort } of running.values()) abort.abort();
      await allEnded(running, timeouts);
    },
  };

  /** What a dead process has claimed is free at once when no other is alive for certain; else when its lease ends. */
  async function begin(): Promise<void> {
    try {
      await storage.joinServers(() => storage.write(null, (db) => db.run(freeEveryTurn, {})));
    } catch (error) {
      logger.warn({ err: error }, "Turns of the AI that were under way when the server stopped begin in 15 seconds.");
    }
    if (stopped) return;
    started = true;
    lookEverySecond();
  }

  function lookEverySecond(): void {
    look();
    cancelLook = timeouts.after(LOOK_MS, lookEverySecond);
  }

  function lookAt(dueAt: number): void {
    const cancel = timeouts.after(Math.max(0, dueAt - runtime.now()), () => {
      wakes.delete(cancel);
      // Timers of Node end some milliseconds early when they were set late in a turn of the event loop.
      if (runtime.now() < dueAt) lookAt(dueAt);
      else look();
    });
    wakes.add(cancel);
  }

  function look(): void {
    if (stopped) return;
    again = true;
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
  }

  async function lookOnce(): Promise<void> {
    while (again && !stopped) {
      again = false;
      try {
        const now = runtime.now();
        const steady = { now, steady_now: runtime.steadyNow(), per_team: PLACES, limit: LOOKED_AT };
        const found = await storage.read((db) => db.all(dueTurns, steady));
        // Turns without a living claim: what this process still does for them is in vain.
        for (const { conversation_id } of found) running.get(conversation_id)?.abort.abort();
        const free = found.filter((turn) => !typing.holds(turn));
        await Promise.all(chosen(free, running, now).map(begun));
      } catch (error) {
        if (!stopped) logger.warn({ err: error }, "Cannot look for turns of the AI. Retrying shortly.");
      }
    }
  }

  async function begun(turn: DueTurn): Promise<void> {
    const claim = runtime.newId();
    const key = { team_id: turn.team_id, conversation_id: turn.conversation_id };
    const leaseUntil = runtime.steadyNow() + LEASE_MS;
    const seen = { ...key, attempts: turn.attempts, steady_now: runtime.steadyNow() };
    const claimed = await storage.write(turn.team_id, (db) =>
      db.run(claimTurn, { ...seen, claim, lease_until: leaseUntil }),
    );
    if (claimed === 0 || stopped) return;
    const lease = holdLease({
      ...{ leaseMs: LEASE_MS, leaseUntil, timeouts, steadyNow: runtime.steadyNow },
      renew: async (until) =>
        (await storage.write(turn.team_id, (db) => db.run(renewTurn, { ...key, claim, lease_until: until }))) > 0,
    });
    const abort = new AbortController();
    const startedAt = runtime.steadyNow();
    const ended = runTurn(
      { ...services, runtime },
      {
        ...{ teamId: turn.team_id, conversationId: turn.conversation_id, claim, firstAt: turn.first_at },
        ...{ attempts: turn.attempts + 1, signal: AbortSignal.any([lease.signal, abort.signal]) },
      },
    )
      .then(
        (end) => onEnd(end, (runtime.steadyNow() - startedAt) / 1_000),
        (error) => {
          if (!stopped)
            logger.warn(
              { err: error },
              "A turn of the AI has failed. It is run again when its lease ends, or is handed over.",
            );
        },
      )
      .finally(() => {
        lease.end();
        running.delete(turn.conversation_id);
        look();
      });
    running.set(turn.conversation_id, { turn, claim, abort, ended });
  }
}

/** From the message on: the pause before the turn, and its way to the model, look like thinking. The turn itself shows it anew. */
async function showTyping(
  { storage, types }: { storage: Storage } & Pick<TurnServices, "types">,
  teamId: string,
  asked: readonly string[],
): Promise<void> {
  const ai = await storage.first(aiOfTeam, { team_id: teamId }).catch(() => undefined);
  if (ai) for (const conversationId of asked) types(teamId, { conversationId, agentId: ai.agent_id }, true);
}

/** Those that are too old, and of the others one a team in turn, as many as there are places. */
function chosen(found: readonly DueTurn[], running: ReadonlyMap<string, Running>, now: number): DueTurn[] {
  const mine = found.filter(({ conversation_id }) => !running.has(conversation_id));
  const isOld = ({ first_at }: DueTurn) => now - first_at >= TURN_LIFE_MS;
  const atWork = new Map<string, number>();
  for (const { turn } of running.values()) atWork.set(turn.team_id, (atWork.get(turn.team_id) ?? 0) + 1);
  const inTurn = mine
    .filter((turn) => !isOld(turn))
    .map((turn) => {
      const place = atWork.get(turn.team_id) ?? 0;
      atWork.set(turn.team_id, place + 1);
      return { turn, place };
    })
    .sort((one, other) => one.place - other.place)
    .slice(0, Math.max(0, PLACES - running.size));
  return [...mine.filter(isOld), ...inTurn.map(({ turn }) => turn)];
}

/** To save what the model would write for nothing: whether anything is said is decided at the end of the turn. */
async function abortOvertaken(storage: Storage, running: ReadonlyMap<string, Running>, teamId: string): Promise<void> {
  for (const { turn, claim, abort } of [...running.values()].filter((each) => each.turn.team_id === teamId)) {
    const key = { team_id: teamId, conversation_id: turn.conversation_id };
    const now = await storage.read((db) => db.first(turnWithSpeaker, key)).catch(() => undefined);
    if (now && (now.claim !== claim || now.upto !== turn.upto || now.speaker !== "ai" || now.is_resolved === 1)) {
      abort.abort();
    }
  }
}

/** Also after a while, when some have not ended. */
async function allEnded(running: ReadonlyMap<string, Running>, timeouts: Timeouts): Promise<void> {
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => {
    cancel = timeouts.after(STOP_TIMEOUT_MS, resolve);
  });
  await Promise.race([Promise.all([...running.values()].map(({ ended }) => ended)), timeout]);
  cancel();
}
