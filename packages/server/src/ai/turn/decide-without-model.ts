import { aiCaps } from "@frontdesk/core/domain/ai/ai-settings";
import { asksForHuman } from "@frontdesk/core/domain/ai/asks-for-human";
import { readConfirmation } from "@frontdesk/core/domain/ai/confirmation";
import { fittingRule } from "@frontdesk/core/domain/ai/handoff-rules";
import { isUpsetAgain } from "@frontdesk/core/domain/ai/upset";
import { areAway } from "../model/breakers.ts";
import { type ClaimedTurn, endInHandoff, type GatheredTurn, type TurnEnd } from "./turn.ts";

/** Older than that, a turn is a person's: its visitor has waited long enough. */
export const TURN_LIFE_MS = 60_000;
/** Processes that died in the middle of a turn; another one would, too. */
const ATTEMPTS_MAX = 4;

/** What needs no model to be decided; undefined: it has to be asked. */
export function decideWithoutModel(
  { firstAt, attempts }: Pick<ClaimedTurn, "firstAt" | "attempts">,
  gathered: GatheredTurn,
  now: number,
): TurnEnd | undefined {
  const { ai, burst, state } = gathered;
  const texts = burst.map(({ text }) => text).filter((text) => text.trim() !== "");
  if (texts.some(asksForHuman)) return endInHandoff("asked-for-human");
  if (isTooLate({ firstAt, attempts }, now)) return endInHandoff("too-late");
  if (!ai) return endInHandoff("no-model");
  const rule = fittingRule(ai.settings.handoff_rules, { ...gathered.ruled, texts });
  if (rule) return { does: "hand-over", reason: "owner-rule", rule };
  const marked = { before: state.upsets, now: false };
  if (isUpsetAgain({ episode: visitorTexts(gathered), burst: texts }, marked)) return endInHandoff("upset");
  if (texts.length === 0) return endInHandoff("attachment");
  if (state.lastKind === "answer" && ai.settings.resolves && readConfirmation(texts.join("\n")) === "helped") {
    return { does: "resolve", text: null, reason: "confirmed" };
  }
  if (state.answers >= aiCaps.ANSWERS_AN_EPISODE || state.tokens >= aiCaps.TOKENS_AN_EPISODE) {
    return endInHandoff("cap-conversation");
  }
  if (gathered.contactAnswers >= aiCaps.ANSWERS_A_CONTACT_A_DAY) return endInHandoff("cap-contact");
  return areAway(ai.breakers, now) ? endInHandoff("model-away") : undefined;
}

/** Whether a turn is a person's, though a model could still answer it. */
export const isTooLate = ({ firstAt, attempts }: Pick<ClaimedTurn, "firstAt" | "attempts">, now: number): boolean =>
  now - firstAt >= TURN_LIFE_MS || attempts > ATTEMPTS_MAX;

/** What the visitor has written in the episode. */
export const visitorTexts = ({ messages }: Pick<GatheredTurn, "messages">): string[] =>
  messages.filter(({ author }) => author === "visitor").map(({ text }) => text);
