/**
 * Articles in pieces that a language model reads (docs/decisions/0079-hybrid-search.md). Pure and without a state: the same
 * text always gives the same passages, so that a passage is known by its article and its number.
 */
import type { ArticleText } from "./article.ts";

/** Up to this many characters an article is one passage. */
export const WHOLE_ARTICLE_MAX = 3_000;
/** The most characters of a passage of a longer one. */
export const PASSAGE_MAX = 1_200;

/** Where a text may be cut, the best places first: before a heading, between paragraphs, lines, sentences and words. */
const SEAMS: readonly RegExp[] = [
  /\s*\n(?=#{1,6} )/u,
  /\n\s*\n/u,
  /\n/u,
  /(?<=[.!?…؟।]["”»)]?)\s+|(?<=[。！？])/u,
  /\s+/u,
];

export interface Passage {
  /** The question of the article, repeated in each. */
  title: string;
  text: string;
}

/** The passages of an article, in their order, at least one. */
export function passagesOf({ question, answer }: ArticleText): Passage[] {
  if (answer.length <= WHOLE_ARTICLE_MAX) return [{ title: question, text: answer }];
  return piecesOf(answer, PASSAGE_MAX).map((text) => ({ title: question, text }));
}

/**
 * A text in pieces of at most `max` units of UTF-16, each as long as fits, without white space around them. What has no seam
 * is cut between characters. No letter is lost, and none is in two pieces.
 */
export function piecesOf(text: string, max: number): string[] {
  return pieces(text.trim(), max, 0);
}

function pieces(text: string, max: number, level: number): string[] {
  if (text === "") return [];
  if (text.length <= max) return [text];
  const seam = SEAMS[level];
  if (!seam) return cutAnywhere(text, max);
  const joined: string[] = [];
  let last = "";
  for (const { part, before } of partsOf(text, seam)) {
    const together = last + before + part;
    if (last !== "" && together.length <= max) last = together;
    else {
      if (last !== "") joined.push(last);
      last = part;
    }
  }
  if (last !== "") joined.push(last);
  return joined.flatMap((part) => pieces(part, max, level + 1));
}

/** The parts of a text between the seams, each with the white space that separated it from the one before. */
function partsOf(text: string, seam: RegExp): { part: string; before: string }[] {
  const parts: { part: string; before: string }[] = [];
  let from = 0;
  let before = "";
  for (const match of text.matchAll(new RegExp(seam, "gu"))) {
    const part = text.slice(from, match.index);
    if (part !== "") parts.push({ part, before });
    before = match[0];
    from = match.index + match[0].length;
  }
  parts.push({ part: text.slice(from), before });
  return parts;
}

function cutAnywhere(text: string, max: number): string[] {
  const cut: string[] = [];
  let last = "";
  for (const character of text) {
    if (last.length + character.length > max) {
      cut.push(last);
      last = "";
    }
    last += character;
  }
  return [...cut, last];
}
