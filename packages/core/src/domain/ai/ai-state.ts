import type { ModelAct } from "./ai-settings.ts";

/** What kind of message the AI has written. */
export const aiMessageKinds = ["answer", "ask", "chat", "handoff"] as const;
export type AiMessageKind = (typeof aiMessageKinds)[number];

/** What the AI has done in an episode, and what it may read of the conversation. */
export interface AiState {
  /** The sort number at which the episode begins; null: by its time. */
  from: number | null;
  answers: number;
  /** Turns in a row without an answer that rests on an article. */
  misses: number;
  /** Of all calls of the model. */
  tokens: number;
  /** The last thing that it wrote. */
  lastKind: AiMessageKind | null;
  /** The visitor has said that an answer was wrong. */
  isDenied: boolean;
  /** In any episode of the conversation. */
  hasAskedForEmail: boolean;
  /** Turns in which the model, and no rule of ours, took the visitor to be upset. */
  upsets: number;
  /** The sort number of the words of a handoff that is still to be summed up for the team; null: none is. */
  summaryDue: number | null;
}

export const newAiState = (from: number | null): AiState => ({
  ...{ from, answers: 0, misses: 0, tokens: 0, lastKind: null, isDenied: false, hasAskedForEmail: false },
  ...{ upsets: 0, summaryDue: null },
});

/** @param stored `conversations.ai_state` */
export function readAiState(stored: string | null): AiState {
  return { ...newAiState(null), ...(stored === null ? {} : (JSON.parse(stored) as Partial<AiState>)) };
}

/**
 * What is stored for a new episode: of those before it is known whether an email address was asked for, and nothing else.
 *
 * @param stored `conversations.ai_state` of before
 */
export function aiStateAnew(stored: string | null, from: number | null): string | null {
  const { hasAskedForEmail } = readAiState(stored);
  return from === null && !hasAskedForEmail ? null : JSON.stringify({ ...newAiState(from), hasAskedForEmail });
}

/** So many turns without an answer that rests on an article, and the next one is a person's. */
const MISSES_MAX = 2;

/** Why what the model wants to say is not said, and a person is called instead; undefined when it is said. */
export function whyNotAgain(
  { misses, lastKind }: AiState,
  said: { act: Extract<ModelAct, "answer" | "ask" | "chat">; text: string },
  lastAnswer: string | null,
): "asked-twice" | "repeated-answer" | "missed-twice" | undefined {
  if (said.act === "ask" && lastKind === "ask") return "asked-twice";
  if (lastAnswer !== null && isSaidBefore(said.text, lastAnswer)) return "repeated-answer";
  return said.act !== "answer" && misses >= MISSES_MAX ? "missed-twice" : undefined;
}

/** The state after something was said. A greeting at the beginning misses nothing. */
export function stateAfterSaying(before: AiState, kind: Exclude<AiMessageKind, "handoff">): AiState {
  if (kind === "answer") return { ...before, answers: before.answers + 1, misses: 0, lastKind: kind };
  const isGreeting = kind === "chat" && before.lastKind === null;
  return { ...before, misses: before.misses + (isGreeting ? 0 : 1), lastKind: kind };
}

/** Around what it has answered may stand paragraphs of our own: its first line, and that it opens no files. */
function isSaidBefore(text: string, lastAnswer: string): boolean {
  const parts = lastAnswer.split("\n\n");
  const withoutOurs = [parts, parts.slice(1), parts.slice(0, -1), parts.slice(1, -1)].map((each) => each.join("\n\n"));
  return withoutOurs.some((before) => before !== "" && plain(before) === plain(text));
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[\p{P}\s]+/gu, " ")
    .trim();
