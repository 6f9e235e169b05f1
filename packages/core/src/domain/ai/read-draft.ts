import { sentencesOf } from "./sentences.ts";

/** A draft as the model wrote it, read for the agent. */
export interface ReadDraft {
  /** Without `[n]`. */
  text: string;
  /** The numbers of the articles that it rests on, in order of mention. */
  cited: number[];
  /** Its sentences that rest on none, word for word as in `text`. */
  unsourced: string[];
}

/** With the white space before it, all of it: begun within, a long one would be walked through again and again. */
const CITATION = /(?<!\s)\s*\[(\d{1,4})\]/gu;
/** What may become one. */
const BEGUN_CITATION = /(?<!\s)\s*(?:\[\d{0,4})?$/u;

/**
 * Takes the marks of articles out of a draft. A number that the model was not given counts as none: the agent sees that the
 * sentence has no source.
 *
 * @param given how many passages the model was given
 */
export function readDraft(written: string, given: number): ReadDraft {
  const cited = new Set<number>();
  const unsourced: string[] = [];
  for (const { text } of sentencesOf(written)) {
    const known = [...text.matchAll(CITATION)]
      .map(([, number]) => Number(number))
      .filter((number) => number >= 1 && number <= given);
    for (const number of known) cited.add(number);
    const bare = withoutCitations(text).trim();
    if (known.length === 0 && /[\p{L}\p{N}]/u.test(bare)) unsourced.push(bare);
  }
  return { text: withoutCitations(written).trim(), cited: [...cited], unsourced };
}

const withoutCitations = (text: string): string => text.replaceAll(CITATION, "");

/** Leaves the marks of articles out of a text that comes in pieces; what may become a mark is held back until it is known. */
export function citationFilter(): { push(piece: string): string; end(): string } {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      const open = BEGUN_CITATION.exec(text)?.index ?? text.length;
      held = text.slice(open);
      return withoutCitations(text.slice(0, open));
    },
    end() {
      const rest = withoutCitations(held).trimEnd();
      held = "";
      return rest;
    },
  };
}
