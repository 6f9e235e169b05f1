/**
 * Sentences that promise work after the conversation: "I'll get back to you". The AI does nothing later, so such a sentence is
 * never said (docs/decisions/0077-checked-answers.md). What happens by itself may be told: "You will get an email".
 */

import { foldLetters } from "../folded-letters.ts";
import { everyLanguage } from "./phrases/phrases.ts";

const BETWEEN = "[^.!?;:\\n]{0,50}?(?<![\\p{L}\\p{M}])";
/** No Latin word but the first of a text begins within another. */
const promises = everyLanguage.flatMap(({ promise }) =>
  promise.map((pattern) => {
    const folded = pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters);
    const begin = /^\(?(?:\?:)?[a-z]/u.test(pattern) ? "(?<![\\p{L}\\p{M}])" : "";
    return new RegExp(`${begin}(?:${folded.replaceAll("~", BETWEEN)})`, "u");
  }),
);

/** Whether a sentence promises that the AI or the team will do something later. */
export function promisesLater(sentence: string): boolean {
  const folded = foldLetters(sentence)
    .replaceAll(/[’‘ʼ`]/g, "'")
    .replaceAll(/\s+/g, " ");
  return promises.some((promise) => promise.test(folded));
}
