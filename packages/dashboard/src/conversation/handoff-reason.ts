import { type AiCheckFailure, type AiRunReason, aiRunReasons } from "@frontdesk/core/domain/ai/ai-settings";
import { type TextKey, t } from "../texts/texts.ts";

/** Why the AI hands over, in few words: agents need to know what to do next, and the run view says the rest. */
const WORDS: Readonly<Record<AiCheckFailure, TextKey> & Partial<Record<AiRunReason, TextKey>>> = {
  "asked-for-human": "handoff.because.asked",
  "pressed-for-human": "handoff.because.asked",
  "owner-rule": "handoff.because.rule",
  upset: "handoff.because.upset",
  "model-handoff": "handoff.because.unknown",
  "nothing-found": "handoff.because.unknown",
  "missed-twice": "handoff.because.unknown",
  "repeated-answer": "handoff.because.unknown",
  "asked-twice": "handoff.because.unknown",
  attachment: "handoff.because.file",
  unreadable: "handoff.because.checks",
  uncited: "handoff.because.checks",
  figure: "handoff.because.checks",
  leak: "handoff.because.checks",
  promise: "handoff.because.checks",
  language: "handoff.because.checks",
  link: "handoff.because.checks",
  empty: "handoff.because.checks",
  chat: "handoff.because.checks",
  "cap-conversation": "handoff.because.limit",
  "cap-contact": "handoff.because.limit",
  "cap-team": "handoff.because.limit",
};

/** Undefined for a handoff of another assistant, which gives none. */
export function handoffReason(reason: string | undefined): string | undefined {
  const known = aiRunReasons.find((each) => each === reason);
  if (!known) return undefined;
  // All others are about the model and its server.
  return t(WORDS[known] ?? "handoff.because.model");
}
