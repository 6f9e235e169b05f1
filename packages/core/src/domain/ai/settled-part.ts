/** What of a text that is still being written reads the same however it goes on (docs/decisions/0085-drafts-of-answers.md). */

import { EMPHASIS, withoutInvisible } from "./plain-answer.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";

/** What begins here may take away all that comes after it: a tag, a comment, or a character that becomes one. */
const MARKUP = /<|&(?=#|(?:lt|gt|amp|quot|apos|nbsp|colon|sol)(?![a-z]))/iu;
const CLOSED_BRACKET = /[\]\uff3d\u3011][^\]\uff3d\u3011]*$/u;
/** Fewer characters do not tell yet whether a sentence begins: "am 25. Ja". */
const BEGUN_MIN = 4;

/** The part of a text of which each sentence but the last is as it will be. */
export function settledPart(written: string): string {
  const text = withoutInvisible(written);
  const plain = text.slice(0, endOf(text.search(MARKUP), text));
  const closed = plain.slice(0, openBracket(plain));
  return closed.slice(0, openEmphasis(closed));
}

/** The sentences of a settled part without the last one, which goes on. */
export function wholeSentences(text: string): Sentence[] {
  const sentences = sentencesOf(text);
  const last = sentences.at(-1)?.text.trim() ?? "";
  return sentences.slice(0, last.length < BEGUN_MIN ? -2 : -1);
}

const endOf = (at: number, text: string): number => (at < 0 ? text.length : at);

/** Where a citation or a link begins that is not closed, or of which the target is still to come. */
function openBracket(text: string): number {
  const close = text.search(CLOSED_BRACKET);
  const open = text.slice(close + 1).search(/!?[[\uff3b\u3010]/u);
  if (open >= 0) return close + 1 + open;
  const target = text.lastIndexOf("](");
  const isOpen = target >= 0 && !text.includes(")", target);
  if (!isOpen && close !== text.length - 1) return text.length;
  return endOf(text.lastIndexOf("[", isOpen ? target : close), text);
}

/** Where emphasis begins that the last line does not end yet; when it never does, its signs stay. */
function openEmphasis(text: string): number {
  const from = text.lastIndexOf("\n") + 1;
  const line = text.slice(from).replace(EMPHASIS, (found) => " ".repeat(found.length));
  return from + endOf(line.search(/\*\*|__/u), line);
}
