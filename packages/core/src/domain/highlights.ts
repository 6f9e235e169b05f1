import { foldText } from "./folded-text.ts";

/** A piece of a text, in UTF-16 units: from `start` to before `end`. */
export interface Highlight {
  start: number;
  end: number;
}

/**
 * Where a text contains a search, as `foldText` compares the two: "STRASSE" is found in "Ｓtrasse". Pieces end at grapheme
 * boundaries, so that no accent or emoji is split.
 */
export function highlightsOf(text: string, search: string): Highlight[] {
  const needle = foldText(search.trim());
  if (needle === "") return [];
  const { folded, pieces } = foldedByPiece(text);
  const found: Highlight[] = [];
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) {
    const first = pieceAt(pieces, at);
    const last = pieceAt(pieces, at + needle.length - 1);
    if (first && last) found.push({ start: first.start, end: last.end });
  }
  return found;
}

/** The part of a text around the first match, with all matches within it. */
export function excerptOf(text: string, search: string, length: number): { excerpt: string; highlights: Highlight[] } {
  const highlights = highlightsOf(text, search);
  const [first] = highlights;
  const room = Math.max(0, Math.floor((length - (first ? first.end - first.start : 0)) / 3));
  const from = wholeCharacter(text, first && text.length > length ? Math.max(0, first.start - room) : 0);
  const to = wholeCharacter(text, from + length);
  return {
    excerpt: text.slice(from, to),
    highlights: highlights
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start - from, end: end - from })),
  };
}

interface Piece extends Highlight {
  /** Where its folded form begins and ends. */
  foldedStart: number;
  foldedEnd: number;
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function foldedByPiece(text: string): { folded: string; pieces: Piece[] } {
  let folded = "";
  const pieces: Piece[] = [];
  for (const { segment, index } of characters.segment(text)) {
    const foldedStart = folded.length;
    folded += foldText(segment);
    pieces.push({ start: index, end: index + segment.length, foldedStart, foldedEnd: folded.length });
  }
  return { folded, pieces };
}

function pieceAt(pieces: readonly Piece[], place: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle] as Piece).foldedEnd > place) high = middle;
    else low = middle + 1;
  }
  return pieces[low];
}

/** An index that splits no surrogate pair. */
function wholeCharacter(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff ? place - 1 : Math.min(place, text.length);
}
