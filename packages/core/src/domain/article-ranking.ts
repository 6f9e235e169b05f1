/**
 * How well an article answers a question, by their common words (docs/decisions/0017-knowledge-search.md). Numbers in, numbers
 * out: both engines find the same words, and so rank alike.
 */
import type { ArticleText } from "./article.ts";
import { wordsOf } from "./text-words.ts";

/** The highest weight of a word in an article; it is stored as a whole number. */
const WEIGHT_MAX = 1_000;
/** A word of the question counts as many times as a word of the answer. */
const QUESTION_COUNTS = 2;
/** The formula is BM25's, and these are its usual constants; the length of an article is compared with a fixed one. */
const SATURATION = 1.2;
const LENGTH_MATTERS = 0.75;
const USUAL_LENGTH = 100;

/** How much of a word in pieces must be found. */
const PIECES_MIN = 0.5;
/** Shorter words are rather grammar, and weigh less. */
const WHOLE_WORD = 5;

/**
 * How much of a question's weight an article must contain to be found at all. Chosen so that few right answers are lost (2 of
 * 100) and most questions about something else find nothing (79 of 100); the decision has the measurements.
 */
export const COVERAGE_MIN = 0.24;
/** With few articles, rare and common words cannot be distinguished: fewer count as this many. */
const FEW_ARTICLES = 20;
/** A word in a few of many articles may be there by chance: it counts as if this share contained it, up to a limit. */
const CHANCE = 1 / 20;
const CHANCE_MAX = 6;

/**
 * The words of an article, and the weight of each, 1 to 1,000: higher the more often it occurs, up to a limit, and lower in a
 * long article.
 */
export function articleWords({ question, answer }: ArticleText): Map<string, number> {
  const counts = new Map<string, number>();
  let length = 0;
  const add = (text: string, times: number) => {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + times);
      length += times;
    }
  };
  add(question, QUESTION_COUNTS);
  add(answer, 1);
  const flattening = SATURATION * (1 - LENGTH_MATTERS + (LENGTH_MATTERS * length) / USUAL_LENGTH);
  const weight = (count: number) => Math.max(1, Math.round((WEIGHT_MAX * count) / (count + flattening)));
  return new Map([...counts].map(([word, count]) => [word, weight(count)]));
}

/** A word of articles that matches a word of the question. */
export interface TakenFor {
  word: string;
  /** How many published articles contain it. */
  articles: number;
  /** 0 to 1 (`word-likeness.ts`). */
  likeness: number;
}

/** A word of the question: for each of its parts the matching words of articles. */
export interface UnderstoodWord {
  letters: number;
  parts: readonly (readonly TakenFor[])[];
}

/** A word in an article, with its weight there. */
export interface WordInArticle {
  word: string;
  article_id: string;
  weight: number;
}

export interface RankedArticle {
  id: string;
  score: number;
  /** How much of the question's weight is in the article, 0 to 1. */
  coverage: number;
}

/**
 * The articles among `found` that have a word of the question, the best first, of equal ones the newest. Rare words weigh more
 * than common ones; a word that no article has counts in the coverage as the rarest.
 *
 * @param published how many articles there are
 */
export function rankArticles(
  asked: readonly UnderstoodWord[],
  found: readonly WordInArticle[],
  published: number,
): RankedArticle[] {
  const holders = Map.groupBy(found, ({ word }) => word);
  const ranked = new Map<string, RankedArticle>();
  let sought = 0;
  for (const word of asked) {
    const importance = rarity(holdingOf(word, published), published) * sizeOf(word);
    const meaning = meaningOf(word, published);
    sought += meaning;
    for (const [id, { likeness, weight }] of hitsOf(word, holders)) {
      const article = ranked.get(id) ?? { id, score: 0, coverage: 0 };
      article.score += importance * weight;
      article.coverage += meaning * likeness;
      ranked.set(id, article);
    }
  }
  const articles = [...ranked.values()].map((article) => ({ ...article, coverage: article.coverage / sought }));
  return articles.sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1));
}

/**
 * How much of a question's weight some of its words have, 0 to 1: an article without any of them covers what is left at most.
 *
 * @param published how many articles there are
 */
export function shareOf(some: readonly UnderstoodWord[], asked: readonly UnderstoodWord[], published: number): number {
  const meaningIn = (words: readonly UnderstoodWord[]) =>
    words.reduce((sum, word) => sum + meaningOf(word, published), 0);
  return meaningIn(some) / meaningIn(asked);
}

/** How many articles contain a word of the question: the word itself, or else the commonest matching one. */
export function articlesWith(word: UnderstoodWord): number {
  return Math.min(
    ...word.parts.map((part) => {
      const itself = part.filter(({ likeness }) => likeness === 1);
      return Math.max(0, ...(itself.length > 0 ? itself : part).map(({ articles }) => articles));
    }),
  );
}

/** BM25's measure; above 0 also for a word that every article contains. */
function rarity(holding: number, published: number): number {
  return Math.log(1 + (published - holding + 0.5) / (holding + 0.5));
}

/** The weight of a word in the question: highest when no article has it. */
function meaningOf(word: UnderstoodWord, published: number): number {
  const all = Math.max(FEW_ARTICLES, published);
  const holding = holdingOf(word, published);
  const byChance = holding === 0 ? 0.5 : Math.min(CHANCE_MAX, all * CHANCE);
  return Math.log(1 + (all - holding + 0.5) / (holding + byChance)) * sizeOf(word) ** 2;
}

const holdingOf = (word: UnderstoodWord, published: number): number => Math.min(published, articlesWith(word));

const sizeOf = ({ letters }: UnderstoodWord): number => Math.min(1, letters / WHOLE_WORD);

interface Hit {
  likeness: number;
  weight: number;
}

/** The articles that contain a word of the question. A word in pieces is contained as far as its pieces are. */
function hitsOf(word: UnderstoodWord, holders: ReadonlyMap<string, readonly WordInArticle[]>): Map<string, Hit> {
  if (word.parts.length === 1) return bestHits(word.parts[0] ?? [], holders);
  const hits = new Map<string, Hit>();
  for (const part of word.parts) {
    for (const [id, hit] of bestHits(part, holders)) {
      const sum = hits.get(id) ?? { likeness: 0, weight: 0 };
      sum.likeness += hit.likeness / word.parts.length;
      sum.weight += hit.weight / word.parts.length;
      hits.set(id, sum);
    }
  }
  for (const [id, { likeness }] of hits) if (likeness < PIECES_MIN) hits.delete(id);
  return hits;
}

/** Of several words in an article that match the same one, the best counts. */
function bestHits(
  takenFor: readonly TakenFor[],
  holders: ReadonlyMap<string, readonly WordInArticle[]>,
): Map<string, Hit> {
  const hits = new Map<string, Hit>();
  for (const { word, likeness } of takenFor) {
    for (const { article_id, weight } of holders.get(word) ?? []) {
      const hit = hits.get(article_id);
      if (!hit) hits.set(article_id, { likeness, weight: likeness * weight });
      else {
        hit.likeness = Math.max(hit.likeness, likeness);
        hit.weight = Math.max(hit.weight, likeness * weight);
      }
    }
  }
  return hits;
}
