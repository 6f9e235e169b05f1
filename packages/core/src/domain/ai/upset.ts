/**
 * Whether a visitor's message is that of an upset person, in the languages of the widget: insults, plain anger, or shouting. Only
 * what is sure counts; the model marks what these rules don't see (docs/decisions/0084-handoffs-by-rule.md).
 */

import { foldLetters } from "../folded-letters.ts";
import { everyLanguage } from "./phrases/phrases.ts";

/** So many upset messages of an episode, and a person answers. */
const UPSET_MAX = 2;

/** Anger is said at once; what comes later in a long message is a report. */
const LENGTH_MAX = 1_000;

const compiled = (kind: "upset" | "calm") =>
  everyLanguage.flatMap((language) =>
    language[kind].map((pattern) => {
      const folded = pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters);
      const whole = `(?<![\\p{L}\\p{M}\\p{N}])(?:${folded})(?![\\p{L}\\p{M}\\p{N}])`;
      return new RegExp(language.wordsStandApart ? whole : folded, "u");
    }),
  );
const upset = compiled("upset");
const calm = compiled("calm");

/**
 * Whether an upset visitor is to get a person now.
 *
 * @param texts of the visitor, in the episode and in what is to be answered
 * @param marked turns in which the model alone took them to be upset
 */
export function isUpsetAgain(
  texts: { episode: readonly string[]; burst: readonly string[] },
  marked: { before: number; now: boolean },
): boolean {
  const isNow = marked.now || texts.burst.some(isUpset);
  return isNow && texts.episode.filter(isUpset).length + marked.before + (marked.now ? 1 : 0) >= UPSET_MAX;
}

/** Whether the message is one of an upset visitor, for sure. */
export function isUpset(text: string): boolean {
  const begin = text.slice(0, LENGTH_MAX).toWellFormed();
  if (isShouted(begin)) return true;
  return foldLetters(begin)
    .replaceAll(/[’‘ʼ`´]/g, "'")
    .replaceAll(/[ \t\u00a0]+/g, " ")
    .split(/(?<=[.!?;\n。？！।؟])/u)
    .map((sentence) => sentence.trim())
    .some((sentence) => upset.some((each) => each.test(sentence)) && !calm.some((each) => each.test(sentence)));
}

/** Letters of a text that is shouted, at least. */
const SHOUTED_LETTERS = 12;
const SHOUTED_WORDS = 3;

/** All in capitals, with exclamation marks in a row: each alone is how some people write. */
function isShouted(text: string): boolean {
  if (!/[!！][!?！？]|[?？][!！]/u.test(text)) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  return letters.length >= SHOUTED_LETTERS && words >= SHOUTED_WORDS && capitals >= letters.length * 0.9;
}
