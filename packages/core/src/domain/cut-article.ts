import { type ArticleText, QUESTION_MAX } from "./article.ts";
import { VISIBLE } from "./bounded-text.ts";

/** A page or a file becomes at most this many articles; what is beyond is left out. */
export const PARTS_MAX = 40;
/** Of an article that is a part; below `ANSWER_MAX`, so that a search finds the part that answers and not all of a long text. */
const PART_MAX = 8_000;

export interface CutArticle {
  texts: ArticleText[];
  /** Whether nothing was left out at the end. */
  isWhole: boolean;
}

/**
 * A text in Markdown as articles: one where it is short, else several, cut at headings, then at paragraphs, then anywhere. Each part
 * has the title, and the heading that it begins with. No texts for one without a visible character.
 */
export function cutArticle({ title, markdown }: { title: string; markdown: string }): CutArticle {
  const text = storable(markdown).trim();
  if (!VISIBLE.test(text)) return { texts: [], isWhole: true };
  const name = oneLine(title) || oneLine(text.split("\n", 1)[0] ?? "");
  if (text.length <= PART_MAX) return { texts: [{ question: bounded(name), answer: text }], isWhole: true };
  const parts = packed(sections(text).flatMap((section) => pieces(section)));
  const texts = parts.slice(0, PARTS_MAX).map((answer, index) => {
    const heading = headingOf(answer);
    const suffix = heading && heading !== name ? heading : String(index + 1);
    return { question: bounded(index === 0 ? name : `${name.slice(0, QUESTION_MAX / 2)}: ${suffix}`), answer };
  });
  return { texts, isWhole: parts.length <= PARTS_MAX };
}

/** Each begins with its heading, but for what stands before the first. Lines in fenced code are no headings. */
function sections(text: string): string[] {
  const found: string[][] = [[]];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^(?:```|~~~)/.exec(line)?.[0];
    if (mark && (fence === undefined || fence === mark)) fence = fence ? undefined : mark;
    if (fence === undefined && /^#{1,3}\s/.test(line)) found.push([]);
    found.at(-1)?.push(line);
  }
  return found.map((lines) => lines.join("\n").trim()).filter((section) => section !== "");
}

/** A section that is too long, at its paragraphs; a paragraph that is too long, at its length. */
function pieces(section: string): string[] {
  if (section.length <= PART_MAX) return [section];
  return packed(section.split(/\n{2,}/).flatMap((paragraph) => slices(paragraph)));
}

function slices(paragraph: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < paragraph.length; from += PART_MAX) {
    found.push(paragraph.slice(from, from + PART_MAX).toWellFormed());
  }
  return found;
}

/** Neighbours in one part, as far as they have room. */
function packed(pieces: readonly string[]): string[] {
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + 2 + piece.length <= PART_MAX)
      parts[parts.length - 1] = `${last}\n\n${piece}`;
    else if (VISIBLE.test(piece)) parts.push(piece);
  }
  return parts;
}

function headingOf(part: string): string | undefined {
  return /^#{1,3}\s+(.+)/.exec(part)?.[1]?.trim();
}

/** What the database takes (`bounded-text.ts`). */
const storable = (text: string): string => text.replaceAll("\0", "").replaceAll("\r\n", "\n").toWellFormed();

const oneLine = (text: string): string =>
  storable(text)
    .replace(/^#{1,6}\s+/, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();

/** Without half a character at its end. */
const bounded = (name: string): string =>
  VISIBLE.test(name)
    ? name
        .slice(0, QUESTION_MAX)
        .replace(/[\ud800-\udbff]$/, "")
        .trim()
    : "…";
