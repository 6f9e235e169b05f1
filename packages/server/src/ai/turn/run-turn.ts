import type { AiRunReason } from "@frontdesk/core/domain/ai/ai-settings";
import { Refusal } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../../access/actor.ts";
import type { FindNearest } from "../../knowledge/vectors/nearest-passages.ts";
import type { Timeouts } from "../../timeouts.ts";
import { ModelFailure } from "../model/model-errors.ts";
import { withoutCalls } from "../runs/log-run.ts";
import type { AiAtWork } from "../speaker/ai-at-work.ts";
import { type AskServices, askModel } from "./ask-model.ts";
import { decideWithoutModel, TURN_LIFE_MS } from "./decide-without-model.ts";
import { endTurn } from "./end-turn.ts";
import { findForTurn } from "./find-for-turn.ts";
import { gatherTurn } from "./gather-turn.ts";
import { openTurn } from "./open-turn.ts";
import type { ClaimedTurn, EndedTurn, GatheredTurn, TurnEnd, TurnLog } from "./turn.ts";

/** The longest that a turn asks the model, all its calls together; less when its visitor has waited for a place before. */
const TURN_MS = 45_000;
/** How many passages the model is shown of a knowledge base that is not shown whole. */
const PASSAGES_MAX = 8;

export interface TurnServices extends Omit<AskServices, "find"> {
  nearestPassages: FindNearest;
  timeouts: Timeouts;
  /** Shows that the AI's agent types, or no longer does. */
  types(teamId: string, where: { conversationId: string; agentId: string }, isTyping: boolean): void;
}

/** Typing is shown anew, before screens take it for over. */
const TYPING_MS = 3_000;

/**
 * Runs a turn that this process has claimed:
 *
 * ```
 *                                                          .--the model searches again--.
 *                                                          v                            |
 * open --> gather --> decide without a model? --no--> find passages --> ask, at most three times --> end: one commit
 *                          '------------------yes-------------------------------------------------->^
 * ```
 * Nothing before the end can be seen, so a turn that a process has lost is run again, and nothing is said twice.
 */
export async function runTurn(services: TurnServices, turn: ClaimedTurn): Promise<EndedTurn> {
  const { perform, runtime } = services;
  const { teamId, conversationId, claim } = turn;
  const system: SystemActor = { kind: "system", teamId };
  const opened = await perform(system, openTurn, { conversationId, claim });
  if ("outcome" in opened) {
    const { agentId, ...ended } = opened;
    if (agentId !== null) services.types(teamId, { conversationId, agentId }, false);
    return ended;
  }
  const stopTyping = type(services, turn, opened.actor.agentId);
  const log = withoutCalls(runtime.now());
  try {
    const gathered = await perform(system, gatherTurn, { conversationId });
    const end =
      decideWithoutModel(turn, gathered, runtime.now()) ??
      (gathered.ai ? await inTime(services, turn, { ...gathered, ai: gathered.ai }, log) : handOver("no-model"));
    return await perform(opened.actor, endTurn, {
      conversationId,
      claim,
      upto: gathered.upto,
      isDenied: gathered.isDenied,
      hasFiles: gathered.burst.some(({ attachments }) => attachments.length > 0),
      end,
      log,
    });
  } catch (error) {
    // Its conversation was erased meanwhile; the turn went with it.
    if (error instanceof Refusal) return { outcome: "dropped", reason: "lost-claim" };
    throw error;
  } finally {
    stopTyping();
  }
}

const handOver = (reason: AiRunReason): TurnEnd => ({ does: "hand-over", reason });

/** The answer of the model, or what happens without one; undefined when its request was ended: overtaken, or the process stops. */
async function inTime(
  services: TurnServices,
  turn: ClaimedTurn,
  gathered: GatheredTurn & { ai: AiAtWork },
  log: TurnLog,
): Promise<TurnEnd | undefined> {
  const late = new AbortController();
  const life = turn.firstAt + TURN_LIFE_MS - services.runtime.now();
  const cancel = services.timeouts.after(Math.min(TURN_MS, life), () => late.abort());
  const signal = AbortSignal.any([turn.signal, late.signal]);
  try {
    const { teamId } = turn;
    const find = findForTurn(services, { teamId, signal, ai: gathered.ai });
    const questions = gathered.burst.map(({ text }) => text);
    const found = await find(questions, PASSAGES_MAX);
    return await askModel({ ...services, find }, { teamId, signal }, { ...gathered, ...found, searched: [] }, log);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (!late.signal.aborted) return undefined;
    return handOver(life < TURN_MS ? "too-late" : "model-timeout");
  } finally {
    cancel();
  }
}

function type({ types, timeouts }: TurnServices, { teamId, conversationId }: ClaimedTurn, agentId: string) {
  const where = { conversationId, agentId };
  let cancel = () => {};
  const renew = () => {
    types(teamId, where, true);
    cancel = timeouts.after(TYPING_MS, renew);
  };
  renew();
  return () => {
    cancel();
    types(teamId, where, false);
  };
}
