import { SEARCH_MAX } from "@frontdesk/core/contract/fields";
import {
  COVERAGE_MIN,
  type RankedArticle,
  rankArticles,
  shareOf,
  type UnderstoodWord,
  type WordInArticle,
} from "@frontdesk/core/domain/article-ranking";
import { isLongerThan } from "@frontdesk/core/domain/bounded-text";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { holdsPhrase } from "@frontdesk/core/domain/text-words";
import type { Context, Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { countersOf } from "../teams/team-counters.ts";
import { articlesById, type ShownArticle, wordsOfArticles } from "./article-store.ts";
import { readWords } from "./set-article-words.ts";
import { understandQuestion } from "./understand-question.ts";
import { articlesWithWords, weightiestArticlesWithWords } from "./word-store.ts";

export interface KnowledgeSearch {
  /** A few words or a whole question, up to 255 characters of anything. */
  query: string;
  /** How many articles at most, 1 to 50. */
  limit: number;
}

/** How many occurrences of words are read to find candidate articles. */
const PLACES_MAX = 2_000;
/** How many articles are compared by all words of the question. */
const CANDIDATES_MAX = 100;
/** So few occurrences are enough where they tell which articles can be found at all; all of those articles are compared. */
const FEW_PLACES = 200;
/** Shares of a question are sums, which may be this far from their value. */
const ROUNDING = 1e-9;
/** The most articles that are read; a search finds no more. */
export const FOUND_MAX = 50;
/** All words of the question, allowing for rounding in the sum. */
const EVERY_WORD = 0.999;

/**
 * The published articles that answer a question best, the best first; none when nothing fits. Those that contain the question
 * word by word come first, in their own question before in their answer. Of equal ones the latest changed. Specification: the
 * tool search-knowledge-base; docs/decisions/0017-knowledge-search.md.
 *
 * @throws Refusal `invalid` on `query` when it is too long
 */
export const searchArticles: Operation<KnowledgeSearch, ShownArticle[]> = {
  name: "search-articles",
  mode: "read",
  run: (ctx, search) => bestArticles(ctx, search),
};

/**
 * The search itself, for other operations.
 *
 * @param coverageMin how much of the question an article must contain to be found
 * @throws Refusal `invalid` on `query` when it is too long
 */
export async function bestArticles(
  ctx: Context,
  { query, limit }: KnowledgeSearch,
  coverageMin = COVERAGE_MIN,
): Promise<ShownArticle[]> {
  if (isLongerThan(query, SEARCH_MAX)) throw invalid({ query: because("too-long", { max: SEARCH_MAX }) });
  return (await understandAndSearch(ctx, { query, limit }, coverageMin)).articles;
}

/** The same, with the words that the question was understood as. The query is as long as may be. */
export async function understandAndSearch(
  ctx: Context,
  { query, limit }: KnowledgeSearch,
  coverageMin = COVERAGE_MIN,
): Promise<{ asked: UnderstoodWord[]; articles: ShownArticle[] }> {
  const [counters, asked] = await Promise.all([countersOf(ctx), understandQuestion(ctx, query)]);
  const ranked = await candidates(ctx, { asked, published: counters.published_articles, coverageMin });
  const fitting = ranked.filter(({ coverage }) => coverage >= coverageMin);
  // Only an article with every word of the question can still rank before others.
  const read = fitting.filter((article, place) => place < limit || hasEveryWord(article)).slice(0, FOUND_MAX);
  if (read.length === 0) return { asked, articles: [] };
  const ids = listParam(read.map(({ id }) => id));
  const articles = await ctx.db.all(articlesById, { team_id: ctx.teamId, ids });
  return { asked, articles: inOrder(query, read, articles).slice(0, limit) };
}

interface Sought {
  asked: readonly UnderstoodWord[];
  published: number;
  coverageMin: number;
}

/**
 * The best articles by their words. The rarest words are read first; the commonest only for articles that are candidates
 * already, and can be found with them.
 */
async function candidates(ctx: Context, { asked, published, coverageMin }: Sought): Promise<RankedArticle[]> {
  const sorted = byRarity(asked);
  const deciding = decidingWords(sorted, { published, coverageMin });
  const read = deciding ?? tellingWords(sorted);
  const telling = read.map(({ word }) => word);
  const words = { team_id: ctx.teamId, words: listParam(wordsIn(telling)) };
  const isTooMuch = sum(read.map(({ places }) => places)) > PLACES_MAX;
  const places = isTooMuch
    ? await ctx.db.all(weightiestArticlesWithWords, { ...words, limit: PLACES_MAX })
    : await ctx.db.all(articlesWithWords, words);
  const ranked = rankArticles(telling, places, published);
  const first = deciding ? ranked : ranked.slice(0, CANDIDATES_MAX);
  if (telling.length === asked.length) return first;
  const share = shareOf(telling, asked, published);
  const canBeFound = ({ coverage }: RankedArticle) => coverage * share + 1 - share >= coverageMin - ROUNDING;
  // Of places that were not all read, an article may have better ones.
  const best = isTooMuch ? first : first.filter(canBeFound);
  if (best.length === 0) return best;
  const ids = best.map(({ id }) => id);
  return rankArticles(asked, await placesIn(ctx, wordsIn(asked), ids), published);
}

/** The occurrences of the words in these articles. */
async function placesIn(ctx: Context, words: readonly string[], ids: readonly string[]): Promise<WordInArticle[]> {
  const articles = await ctx.db.all(wordsOfArticles, { team_id: ctx.teamId, ids: listParam(ids) });
  return articles.flatMap((article) => {
    const weights = readWords(article.words);
    const held = words.filter((word) => Object.hasOwn(weights, word));
    return held.map((word) => ({ word, article_id: article.id, weight: weights[word] ?? 0 }));
  });
}

interface SizedWord {
  word: UnderstoodWord;
  /** How many occurrences it has. */
  places: number;
}

const byRarity = (asked: readonly UnderstoodWord[]): SizedWord[] =>
  asked.map((word) => ({ word, places: placesOf(word) })).sort((one, other) => one.places - other.places);

/**
 * The rarest words, when they have few occurrences and an article without any of them can't be found: the others have too little of the
 * question's weight. Else undefined.
 */
function decidingWords(
  sorted: readonly SizedWord[],
  { published, coverageMin }: Omit<Sought, "asked">,
): SizedWord[] | undefined {
  const asked = sorted.map(({ word }) => word);
  let read = 0;
  for (const [place, { places }] of sorted.entries()) {
    read += places;
    if (read > FEW_PLACES) return undefined;
    const share = shareOf(asked.slice(0, place + 1), asked, published);
    if (1 - share < coverageMin - ROUNDING) return sorted.slice(0, place + 1);
  }
  return undefined;
}

/** The rarest words of which all occurrences can be read, at least one that occurs. */
function tellingWords(sorted: readonly SizedWord[]): SizedWord[] {
  let read = 0;
  return sorted.filter(({ places }) => {
    const isTelling = read === 0 || read + places <= PLACES_MAX;
    if (isTelling) read += places;
    return isTelling;
  });
}

/** How many occurrences in articles the words have that match a word of the question. */
const placesOf = ({ parts }: UnderstoodWord): number => sum(parts.flat().map(({ articles }) => articles));

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

const wordsIn = (asked: readonly UnderstoodWord[]): string[] => [
  ...new Set(asked.flatMap(({ parts }) => parts.flat()).map(({ word }) => word)),
];

function inOrder(query: string, ranked: readonly RankedArticle[], articles: readonly ShownArticle[]): ShownArticle[] {
  const byId = new Map(articles.map((article) => [article.id, article]));
  return ranked
    .flatMap((place) => {
      const article = byId.get(place.id);
      const close = article && hasEveryWord(place) ? closeness(query, article) : 0;
      return article ? [{ article, score: place.score, closeness: close }] : [];
    })
    .sort(
      (one, other) =>
        other.closeness - one.closeness ||
        other.score - one.score ||
        other.article.updated_at - one.article.updated_at ||
        (one.article.id < other.article.id ? 1 : -1),
    )
    .map(({ article }) => article);
}

const hasEveryWord = ({ coverage }: RankedArticle): boolean => coverage >= EVERY_WORD;

/** Whether the question occurs word by word in that of the article (2), or in its answer (1). */
function closeness(query: string, { question, answer }: ShownArticle): 0 | 1 | 2 {
  if (holdsPhrase(question, query)) return 2;
  return holdsPhrase(answer, query) ? 1 : 0;
}
