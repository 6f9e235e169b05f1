/** How a team has set up its built-in AI, and the names of what the AI does (docs/decisions/0077-checked-answers.md). */

import type { Channel } from "../channel.ts";

/** When the AI takes a new conversation. */
export const aiTimes = ["always", "outside-hours", "nobody-online"] as const;
export type AiTime = (typeof aiTimes)[number];

export interface AiSettings {
  is_active: boolean;
  /** What visitors read beside its messages. */
  name: string;
  /** Of an OpenAI-compatible service, without `/chat/completions`. Null: the operator's. */
  base_url: string | null;
  model: string | null;
  /** On the same server; asked where the first one fails. Null: none. */
  second_model: string | null;
  /** Null: articles are found by their words alone. */
  embedding_model: string | null;
  /** The owner's own rules, in any language; a part of the system prompt. */
  instructions: string;
  /** The widgets on which it answers, by id. */
  widgets: "all" | readonly string[];
  channels: readonly Channel[];
  when: AiTime;
  /** Whether it resolves: when the visitor says that an answer helped, or after a time of silence. */
  resolves: boolean;
  /** Null is unlimited. */
  tokens_a_day: number | null;
  tokens_a_month: number | null;
  /** What the owner wants a person to answer. */
  handoff_rules: HandoffRules;
  /** Whether visitors see an answer while the model writes it, sentence by sentence, each checked first. */
  streamed: boolean;
  /** Whether agents are shown a draft in the empty composer before they ask for one. */
  ghost_text: boolean;
  /** Whether requests and answers are kept, for the owner to look at. */
  keeps_runs: boolean;
  /** Whether email addresses, numbers of phones and cards, and IBANs are replaced before a text goes to the model. */
  redacts: boolean;
  /** Silence after a cited answer that resolves. Null: silence never does. */
  resolve_after_minutes: number | null;
}

/** A conversation that one of them fits is handed over before any model is asked. */
export interface HandoffRules {
  /** Words and phrases of a visitor's message. */
  words: readonly string[];
  /** The beginnings of addresses of pages that the visitor is on; without scheme and host, a path of any site. */
  pages: readonly string[];
  /** The ids of tags of the conversation. */
  tags: readonly string[];
  /** Values of the contact's custom data. */
  custom_data: readonly { name: string; value: string }[];
}

export const handoffRuleFields = ["words", "pages", "tags", "custom_data"] as const satisfies (keyof HandoffRules)[];
export type HandoffRuleField = (typeof handoffRuleFields)[number];

export const defaultAiSettings: AiSettings = {
  is_active: false,
  name: "Assistant",
  base_url: null,
  model: null,
  second_model: null,
  embedding_model: null,
  instructions: "",
  widgets: "all",
  channels: ["website"],
  when: "always",
  resolves: true,
  tokens_a_day: null,
  tokens_a_month: null,
  handoff_rules: { words: [], pages: [], tags: [], custom_data: [] },
  streamed: false,
  ghost_text: false,
  keeps_runs: true,
  redacts: false,
  resolve_after_minutes: null,
};

/** Bounds of the settings; characters are code points. */
export const aiBounds = {
  NAME_MAX: 60,
  BASE_URL_MAX: 500,
  MODEL_MAX: 200,
  API_KEY_MAX: 1_000,
  INSTRUCTIONS_MAX: 8_000,
  WIDGETS_MAX: 100,
  HANDOFF_RULES_MAX: 50,
  HANDOFF_WORDS_MAX: 100,
  TOKENS_MIN: 1,
  /** The largest number that both engines and JSON readers keep exactly enough: a thousand billion. */
  TOKENS_MAX: 1_000_000_000_000,
  RESOLVE_AFTER_MINUTES_MIN: 5,
  RESOLVE_AFTER_MINUTES_MAX: 7 * 24 * 60,
} as const;

/** Caps of one conversation and one contact that no owner sets. */
export const aiCaps = {
  CALLS_A_TURN: 3,
  /** That for the visitor's own words included. */
  SEARCHES_A_TURN: 4,
  TOKENS_OUT_A_CALL: 600,
  ANSWERS_AN_EPISODE: 12,
  TOKENS_AN_EPISODE: 60_000,
  ANSWERS_A_CONTACT_A_DAY: 30,
} as const;

/** Who speaks for the team in a conversation. `waiting`: the AI has handed it over, and no one has written since. */
export const speakers = ["ai", "waiting", "human"] as const;
export type Speaker = (typeof speakers)[number];

/** How a turn ended. */
export const aiOutcomes = ["answered", "asked", "handed-over", "resolved", "dropped"] as const;
export type AiOutcome = (typeof aiOutcomes)[number];

/** What the model wants to do, by the first line of what it wrote. */
export const modelActs = ["answer", "ask", "chat", "search", "handoff", "done"] as const;
export type ModelAct = (typeof modelActs)[number];

/** Why an answer may not be said. */
export const aiCheckFailures = ["uncited", "figure", "leak", "promise", "language", "link", "empty", "chat"] as const;
export type AiCheckFailure = (typeof aiCheckFailures)[number];

/** Why a turn ended as it did. */
export const aiRunReasons = [
  // Said.
  "grounded",
  "small-talk",
  "question",
  // Resolved.
  "confirmed",
  "silence",
  // Handed over: the visitor or the owner wanted it.
  "asked-for-human",
  "pressed-for-human",
  "owner-rule",
  "upset",
  // Handed over: the model wanted it, or could not answer.
  "model-handoff",
  "nothing-found",
  "missed-twice",
  "repeated-answer",
  "asked-twice",
  "attachment",
  "unreadable",
  // Handed over: the answer failed its checks.
  ...aiCheckFailures,
  // Handed over: caps.
  "cap-conversation",
  "cap-contact",
  "cap-team",
  // Handed over: the model's server (`ModelFailure`), or time.
  "model-unreachable",
  "model-refused",
  "model-busy",
  "model-failing",
  "model-timeout",
  "model-cut",
  "model-filtered",
  "model-length",
  "model-garbage",
  "model-away",
  "no-model",
  "too-late",
  // Dropped.
  "newer-message",
  "human-speaks",
  "conversation-resolved",
  "blocked",
  "switched-off",
  "lost-claim",
] as const;
export type AiRunReason = (typeof aiRunReasons)[number];

/** A part of an article that the model was given, known to it by its number from 1. */
export interface AiPassage {
  title: string;
  text: string;
  /** ms since the epoch; null when unknown. */
  updatedAt: number | null;
  /** Where visitors can read it; null when nowhere. */
  address: string | null;
}

/** Whether the AI answers: it is switched off, it does, or it cannot now. */
export const aiStates = ["off", "ready", "away"] as const;
export type AiState = (typeof aiStates)[number];

/** Why the AI is away, or which of its two models is wrong while it is ready, in a sentence that says what to do. */
export const aiCauseText = {
  "no-model": "There is no model. Enter a base URL and a model.",
  "model-refused": "The model server refuses the key or does not know the model. Check them, then test again.",
  "model-failing": "The model server gives no usable answers. New chats go to people until it does.",
  "first-model-unknown":
    "The model server does not know the model, so the second one answers alone. Check its name, then test again.",
  "second-model-unknown":
    "The model server does not know the second model, so nothing answers when the first one fails. Check its name, then test again.",
  "tokens-spent": "The tokens of the day or month are used up. New chats go to people.",
} as const;
export type AiCause = keyof typeof aiCauseText;
export const aiCauses = Object.keys(aiCauseText) as [AiCause, ...AiCause[]];
