import type { ArticlePart, TextPiece } from "@frontdesk/core/contract/visitor";
import { articleParts } from "./article-parts.ts";

/** Most characters of an answer in a message: longer ones are not read in a chat. */
const ANSWER_MAX = 1_000;
/** A sentence that ends before this share of the limit says too little. */
const SENTENCE_MIN = 0.5;

/**
 * An article as the text of a message: its question, an empty line, its answer without markup. A long answer is cut after a
 * sentence, or else after a word.
 */
export function articleAsText({ question, answer }: { question: string; answer: string }): string {
  const text = articleParts(answer).map(partAsText).join("\n\n");
  return `${question}\n\n${shortened(text)}`.trim();
}

function partAsText(part: ArticlePart): string {
  if (part.type !== "list") return linesOf(part.text);
  return part.items
    .map(
      ({ depth, number, text }) => `${"  ".repeat(depth)}${number === undefined ? "-" : `${number}.`} ${linesOf(text)}`,
    )
    .join("\n");
}

const linesOf = (pieces: readonly TextPiece[]): string => pieces.map(withAddress).join("").trim();

/** The address of a link is written after its text, unless it is its text. */
function withAddress({ text, href }: TextPiece): string {
  if (href === undefined) return text;
  const address = href.replace(/^mailto:/i, "");
  return text === address || text === href ? address : `${text} (${address})`;
}

function shortened(text: string): string {
  if (text.length <= ANSWER_MAX) return text;
  const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text.slice(0, ANSWER_MAX + 1));
  const last = [...sentences].findLast(({ index }) => index <= ANSWER_MAX)?.index ?? 0;
  if (last >= ANSWER_MAX * SENTENCE_MIN) return text.slice(0, last).trimEnd();
  const words = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text.slice(0, ANSWER_MAX));
  const word = [...words].at(-1)?.index ?? ANSWER_MAX;
  return `${text.slice(0, word).trimEnd()}…`;
}
