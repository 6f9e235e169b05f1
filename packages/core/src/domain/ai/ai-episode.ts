/**
 * How conversations with the built-in AI end, counted by episode (docs/decisions/0083-ai-outcomes.md):
 *
 * ```
 *        the visitor says it helped ----------------------> confirmed --the visitor writes within 72 h--.
 *        silence after a cited answer, and resolved ------> assumed ----the visitor writes within 72 h--+--> reopened
 *  open  handed over, or someone else steps in -----------> handed-over
 *        24 h of silence after anything but an answer ----> abandoned
 * ```
 */
import type { SentVia } from "../conversation.ts";
import type { AiRunReason } from "./ai-settings.ts";
import type { AiMessageKind } from "./ai-state.ts";
import type { SpeakerChange } from "./speaker.ts";

export const aiEpisodeOutcomes = ["confirmed", "assumed", "handed-over", "abandoned", "reopened", "open"] as const;
export type AiEpisodeOutcome = (typeof aiEpisodeOutcomes)[number];

/** After so long a silence a visitor has not come back. */
export const SILENT_AFTER_MS = 24 * 3_600_000;
/** A visitor who writes again so soon was not helped. */
export const REOPENED_WITHIN_MS = 72 * 3_600_000;

/** Whose the last words are; the AI's with or without an article that they rest on. */
export type LastWord = "cited" | "uncited" | "visitor";

/** Of the AI. Words of a handoff are no answer. */
export const lastWordOf = (kind: AiMessageKind, sources: readonly unknown[]): LastWord =>
  kind === "answer" && sources.length > 0 ? "cited" : "uncited";

/** What others do that ends the AI's part. */
export const stepInReasons = [
  "replied",
  "program-replied",
  "assigned",
  "taken-over",
  "handoff-requested",
  "closed",
] as const;
export type StepInReason = (typeof stepInReasons)[number];

/** Why an episode was handed over: the reason of the turn, or what another did. */
export type HandoffReason = AiRunReason | StepInReason;

export const handoffParties = ["ai", "visitor", "team"] as const;
export type HandoffParty = (typeof handoffParties)[number];

const BY_VISITOR: ReadonlySet<string> = new Set<HandoffReason>(["asked-for-human", "pressed-for-human"]);
const BY_TEAM: ReadonlySet<string> = new Set<HandoffReason>([...stepInReasons, "switched-off", "blocked"]);

/** Who wanted a handoff. */
export function handoffBy(reason: string): HandoffParty {
  if (BY_VISITOR.has(reason)) return "visitor";
  return BY_TEAM.has(reason) ? "team" : "ai";
}

/** Why the AI does not speak any more after a change; undefined for one that gives it the word. */
export function stepInReason(change: SpeakerChange): StepInReason | undefined {
  switch (change.name) {
    case "message-sent":
      return isByProgram(change.via) ? "program-replied" : "replied";
    case "handed-over":
      return "handoff-requested";
    case "resolved":
      return "closed";
    case "assigned":
    case "taken-over":
      return change.name;
    case "opened":
    case "returned":
      return undefined;
    default:
      return change satisfies never;
  }
}

const isByProgram = (via: SentVia) => via === "automation" || via === "assistant";

/** What an end means, by how long and after which words the visitor has been silent. */
export interface EndOfEpisode {
  /** The visitor wrote last, or has been silent for less than `SILENT_AFTER_MS`. */
  outcome: Exclude<AiEpisodeOutcome, "reopened" | "open">;
  /** Silence after a cited answer. */
  afterCited: EndOfEpisode["outcome"];
  /** Silence after any other words of the AI. */
  afterUncited: EndOfEpisode["outcome"];
}

/** The AI has resolved it: because the visitor said that it helped, or because of their silence. */
export const resolvedByAi = (outcome: "confirmed" | "assumed"): EndOfEpisode => ({
  outcome,
  afterCited: outcome,
  afterUncited: outcome,
});

/** Closing what a visitor has left changes nothing of how it went; anything else does more than the AI did. */
export const handedOver = (reason: HandoffReason): EndOfEpisode => ({
  outcome: "handed-over",
  afterCited: reason === "closed" ? "assumed" : "handed-over",
  afterUncited: "abandoned",
});
