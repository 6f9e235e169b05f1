import { Refusal } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../../access/actor.ts";
import type { FindNearest } from "../../knowledge/vectors/nearest-passages.ts";
import type { Timeouts } from "../../timeouts.ts";
import { ModelFailure } from "../model/model-errors.ts";
import { withoutCalls } from "../runs/log-run.ts";
import type { AiAtWork } from "../speaker/ai-at-work.ts";
import { type AskServices, askModel } from "./ask-model.ts";
import { decideWithoutModel, isTooLate, TURN_LIFE_MS } from "./decide-without-model.ts";
import { endTurn } from "./end-turn.ts";
import { findForTurn } from "./find-for-turn.ts";
import { gatherTurn } from "./gather-turn.ts";
import { type LiveDraft, liveDraft } from "./live-draft.ts";
import { openTurn } from "./open-turn.ts";
import {
  type ClaimedTurn,
  type DraftOfTurn,
  type EndedTurn,
  endInHandoff,
  type GatheredTurn,
  type TurnEnd,
  type TurnLog,
} from "./turn.ts";

/** The longest that a turn asks the model, all its calls together; less when its visitor has waited for a place before. */
const TURN_MS = 45_000;
/** How many passages the model is shown of a knowledge base that is not shown whole. */
const PASSAGES_MAX = 8;

export interface TurnServices extends Omit<AskServices, "find"> {
  nearestPassages: FindNearest;
  timeouts: Timeouts;
  /** Shows what a turn is about to say, for as long as its claim stands; "" withdraws it. */
  shows(teamId: string, of: DraftOfTurn, text: string): void;
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
 * Nothing before the end is kept, so a turn that a process has lost is run again, and nothing is said twice.
 */
export async function runTurn(services: TurnServices, turn: ClaimedTurn): Promise<EndedTurn> {
  const { perform, runtime } = services;
  const { teamId, conversationId, claim } = turn;
  const system: SystemActor = { kind: "system", teamId };
  const opened = await perform(system, openTurn, { conversationId, claim });
  if ("outcome" in opened) {
    const { agentId: typing, ...over } = opened;
    if (typing !== null) services.types(teamId, { conversationId, agentId: typing }, false);
    return over;
  }
  const { agentId } = opened.actor;
  const stopTyping = type(services, turn, agentId);
  const log = withoutCalls(runtime.now());
  let draft: LiveDraft | undefined;
  let ended: EndedTurn | undefined;
  try {
    const gathered = await perform(system, gatherTurn, { conversationId });
    const { ai, upto } = gathered;
    if (ai?.settings.streamed) {
      draft = liveDraft((text) => services.shows(teamId, { conversationId, claim, agentId, upto }, text));
    }
    const end =
      decideWithoutModel(turn, gathered, runtime.now()) ??
      (ai ? await inTime(services, turn, { ...gathered, ai }, { log, draft }) : endInHandoff("no-model"));
    ended = await perform(opened.actor, endTurn, {
      conversationId,
      claim,
      upto,
      isDenied: gathered.isDenied,
      hasFiles: gathered.burst.some(({ attachments }) => attachments.length > 0),
      end,
      log,
    });
    return ended;
  } catch (error) {
    // Its conversation was erased meanwhile; the turn went with it.
    if (error instanceof Refusal) return { outcome: "dropped", reason: "lost-claim" };
    if (isTooLate(turn, runtime.now())) {
      // Something of ours is broken, and will be the next time. Nothing that it may lie in is needed for the words.
      const unread = { upto: Number.MAX_SAFE_INTEGER, isDenied: false, hasFiles: false, log };
      await perform(opened.actor, endTurn, { conversationId, claim, ...unread, end: endInHandoff("too-late") });
    }
    throw error;
  } finally {
    // The message takes its place.
    if (ended?.outcome !== "answered") draft?.withdraw();
    stopTyping();
  }
}

/** The answer of the model, or what happens without one; undefined when its request was ended: overtaken, or the process stops. */
async function inTime(
  services: TurnServices,
  turn: ClaimedTurn,
  gathered: GatheredTurn & { ai: AiAtWork },
  { log, draft }: { log: TurnLog; draft: LiveDraft | undefined },
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
    const informed = { ...gathered, ...found, searched: [] };
    return await askModel({ ...services, find }, { teamId, signal, draft }, informed, log);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (!late.signal.aborted) return undefined;
    return endInHandoff(life < TURN_MS ? "too-late" : "model-timeout");
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
