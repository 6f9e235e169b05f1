import { foldSearch, HAS_ONE, TWO_FOR_ONE, WRITTEN_AS_TWO } from "./search-text.ts";
import { stemOf, typoForms } from "./word-forms.ts";

/** A piece of a text, in UTF-16 units: from `start` to before `end`. */
export interface Highlight {
  start: number;
  end: number;
}

/** What is marked in a text. */
export interface Marked {
  /** The words of a search, folded (`search-query.ts`). */
  readonly words: readonly string[];
  /** Whether a typo was forgiven: then it is marked, too. */
  readonly forgiving: boolean;
}

/**
 * Where a text contains words, as a search finds them: "strasse" in "Ｓtraße", "blankets" in "blanket". Pieces end at grapheme
 * boundaries, so that no accent or emoji is split.
 */
export function highlightsOf(text: string, { words, forgiving }: Marked): Highlight[] {
  if (text === "" || words.length === 0) return [];
  const forms = formsOf(text);
  return inOrder(words.flatMap((word) => placesOf(word, forms, forgiving)));
}

function placesOf(word: string, forms: readonly Folded[], forgiving: boolean): Highlight[] {
  const exact = forms.flatMap((form) => placesIn(form, word));
  if (exact.length > 0) return exact;
  const stem = stemOf(word);
  const ofStem = stem === word ? [] : forms.flatMap((form) => placesIn(form, stem));
  if (ofStem.length > 0) return ofStem;
  const typos = forgiving ? typoForms(stem) : undefined;
  if (!typos) return [];
  const longestFirst = typos.patterns.toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.join("|").replaceAll("_", "."), "gsu");
  return forms.flatMap((form) =>
    [...form.folded.matchAll(pattern)].flatMap(({ index, 0: found }) => placeIn(form, index, found.length)),
  );
}

function placesIn(form: Folded, needle: string): Highlight[] {
  const found: Highlight[] = [];
  for (let at = form.folded.indexOf(needle); at >= 0; at = form.folded.indexOf(needle, at + needle.length)) {
    found.push(...placeIn(form, at, needle.length));
  }
  return found;
}

function placeIn({ pieces }: Folded, at: number, length: number): Highlight[] {
  const first = pieceAt(pieces, at);
  const last = pieceAt(pieces, at + length - 1);
  return first && last ? [{ start: first.start, end: last.end }] : [];
}

/** Those that overlap are one. */
function inOrder(found: readonly Highlight[]): Highlight[] {
  const joined: Highlight[] = [];
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** The part of a text around the first match, with all matches within it. */
export function excerptOf(text: string, marked: Marked, length: number): { excerpt: string; highlights: Highlight[] } {
  const highlights = highlightsOf(text, marked);
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

/** A text as it is compared. */
interface Folded {
  folded: string;
  pieces: Piece[];
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The forms in which `searchable` stores a text: with letters as one, and as two where they are written so. */
function formsOf(text: string): Folded[] {
  const plain = foldedByPiece(text, foldSearch);
  const forms = [plain];
  if (HAS_ONE.test(text.normalize("NFKC").toLowerCase())) {
    const asTwo = (letter: string) => WRITTEN_AS_TWO.get(letter.normalize("NFKC").toLowerCase()) ?? letter;
    forms.push(foldedByPiece(text, (character) => foldSearch(asTwo(character))));
  }
  if (plain.folded.search(TWO_FOR_ONE) >= 0) forms.push(withoutSecond(plain));
  return forms;
}

function foldedByPiece(text: string, fold: (character: string) => string): Folded {
  let folded = "";
  const pieces: Piece[] = [];
  for (const { segment, index } of characters.segment(text)) {
    const foldedStart = folded.length;
    folded += fold(segment);
    pieces.push({ start: index, end: index + segment.length, foldedStart, foldedEnd: folded.length });
  }
  return { folded, pieces };
}

/** "Mueller" as "Muller": the "e" of two letters for one belongs to the letter before. */
function withoutSecond({ folded, pieces }: Folded): Folded {
  const isSecond = new Set([...folded.matchAll(TWO_FOR_ONE)].map(({ index }) => index + 1));
  /** For each place, where it is without them. */
  const places: number[] = [];
  let place = 0;
  for (let at = 0; at <= folded.length; at += 1) {
    places.push(place);
    if (!isSecond.has(at)) place += 1;
  }
  const moved = (at: number) => places[at] ?? at;
  return {
    folded: folded.replace(TWO_FOR_ONE, (two) => two.charAt(0)),
    pieces: pieces.map((piece) => ({
      ...piece,
      foldedStart: moved(piece.foldedStart),
      foldedEnd: moved(piece.foldedEnd),
    })),
  };
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
