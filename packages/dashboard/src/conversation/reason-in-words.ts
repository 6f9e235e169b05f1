import { type AiRunReason, aiRunReasons } from "@frontdesk/core/domain/ai/ai-settings";
import { t } from "../texts/texts.ts";

/** Undefined for none, and for one that a newer service gives. */
export function inWords(reason: string | null): string | undefined {
  const known = aiRunReasons.find((each) => each === reason);
  return known && t(REASONS[known]);
}

/** In plain words. Those of one kind share a sentence where an agent would do the same about them. */
const REASONS = {
  grounded: "runs.because.grounded",
  "small-talk": "runs.because.talk",
  question: "runs.because.question",
  confirmed: "runs.because.confirmed",
  silence: "runs.because.silence",
  "asked-for-human": "runs.because.asked",
  "pressed-for-human": "runs.because.asked",
  "owner-rule": "runs.because.rule",
  upset: "runs.because.upset",
  "model-handoff": "runs.because.unknown",
  "nothing-found": "runs.because.unknown",
  "missed-twice": "runs.because.unknown",
  "repeated-answer": "runs.because.repeated",
  "asked-twice": "runs.because.repeated",
  attachment: "runs.because.file",
  unreadable: "runs.because.unreadable",
  uncited: "runs.because.uncited",
  figure: "runs.because.figure",
  leak: "runs.because.leak",
  promise: "runs.because.promise",
  language: "runs.because.language",
  link: "runs.because.figure",
  empty: "runs.because.unreadable",
  chat: "runs.because.uncited",
  "cap-conversation": "runs.because.limit",
  "cap-contact": "runs.because.limit",
  "cap-team": "runs.because.limit",
  "model-unreachable": "runs.because.model",
  "model-refused": "runs.because.model",
  "model-busy": "runs.because.model",
  "model-failing": "runs.because.model",
  "model-timeout": "runs.because.model",
  "model-cut": "runs.because.model",
  "model-filtered": "runs.because.model",
  "model-length": "runs.because.model",
  "model-garbage": "runs.because.model",
  "model-away": "runs.because.model",
  "no-model": "runs.because.noModel",
  "too-late": "runs.because.model",
  "newer-message": "runs.because.newerMessage",
  "human-speaks": "runs.because.humanSpeaks",
  "conversation-resolved": "runs.because.humanSpeaks",
  blocked: "runs.because.humanSpeaks",
  "switched-off": "runs.because.stopped",
  "lost-claim": "runs.because.stopped",
} as const satisfies Record<AiRunReason, string>;
