import type { AiCheckFailure, AiPassage, ModelAct } from "./ai-settings.ts";

/** A text that the model wants to say, and what it may rest on. */
export interface AnswerToCheck {
  act: Extract<ModelAct, "answer" | "ask" | "chat">;
  text: string;
  /** Those that the model was given: `[1]` is the first one. */
  passages: readonly AiPassage[];
  /** What visitor and team have said in this episode. */
  conversationText: string;
  /** The opening hours as the model was given them; empty without any. */
  hours: string;
  /** Origins of the owner's websites, as a widget has them: `https://acme.test`, `https://*.acme.test`. */
  sites: readonly string[];
  /** A secret word of the prompt that no answer may contain. */
  canary: string;
  /** The language it has to be in, as BCP 47; null when unknown. */
  language: string | null;
}

/** What may be shown, without `[n]`, and the numbers of the passages that it rests on, in order of mention. */
export type CheckedAnswer = { ok: true; text: string; cited: number[] } | { ok: false; reason: AiCheckFailure };

/** Whether a text of the model may be said, and how (docs/decisions/0077-checked-answers.md). */
export function checkAnswer({ act, text, passages }: AnswerToCheck): CheckedAnswer {
  const numbers = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
  const cited = [...new Set(numbers)].filter((number) => number >= 1 && number <= passages.length);
  if (act === "answer" && cited.length === 0) return { ok: false, reason: "uncited" };
  return { ok: true, text: text.replaceAll(/\s*\[\d+\]/g, "").trim(), cited };
}
