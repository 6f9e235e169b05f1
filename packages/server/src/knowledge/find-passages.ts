import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import type { UnderstoodWord } from "@frontdesk/core/domain/article-ranking";
import { bestOfEach, fuseRanks, rankPassages } from "@frontdesk/core/domain/passage-ranking";
import { passagesOf } from "@frontdesk/core/domain/passages";
import type { Context, Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { countersOf } from "../teams/team-counters.ts";
import { articleLanguages } from "./article-languages.ts";
import { publishedArticles, publishedArticlesById, publishedCharacters, type ReadArticle } from "./passage-store.ts";
import { understandAndSearch } from "./search-articles.ts";
import { searchesOf } from "./searches-of-burst.ts";
import type { NearestPassages } from "./vectors/nearest-passages.ts";
import { fingerprintOf } from "./vectors/vector.ts";

/** A part of a published article, as it is at this moment. */
export interface FoundPassage {
  articleId: string;
  title: string;
  text: string;
  /** When the article was changed last, ms since the epoch. */
  updatedAt: number;
  /** Where visitors can read it; null when nowhere. */
  address: string | null;
}

export interface PassageSearch {
  /** What visitors have written, the oldest first; of any length. */
  questions: readonly string[];
  /** How many passages at most, where they are searched for. */
  limit: number;
  /** What is nearest to them in meaning, the nearest first. Left out: words alone find. */
  nearest?: NearestPassages | undefined;
}

export interface FoundPassages {
  /** The best first; all of them in a fixed order when the knowledge base is small. */
  passages: FoundPassage[];
  /** Whether these are all passages there are, whatever was asked. */
  isWholeBase: boolean;
}

/** The whole knowledge base is read when it has no more tokens than this. */
const WHOLE_BASE_TOKENS = 8_000;
/** No text has fewer tokens than a quarter of its characters; a base of more need not be read to see that it is too large. */
const WHOLE_BASE_CHARACTERS = 4 * WHOLE_BASE_TOKENS;
/** No base of more articles is taken for small, so that its texts are not measured. */
const WHOLE_BASE_ARTICLES = 400;
/**
 * What the published articles say about some questions, for a language model: passages of the articles that fit best, none when
 * nothing fits; or the whole knowledge base, when it is small, in an order that stays (the model's cache of prompts).
 */
export async function findPassages(ctx: Context, search: PassageSearch): Promise<FoundPassages> {
  const { published_articles: published } = await countersOf(ctx);
  const all = await smallBase(ctx, published);
  if (all) return { passages: all.flatMap(toPassages), isWholeBase: true };
  return { passages: await searchPassages(ctx, search, published), isWholeBase: false };
}

/**
 * The same, for what is done outside of an operation: a turn asks a server for what the question means in between. With the
 * languages of the articles, where there are more of them than were found.
 */
export const findPassagesFor: Operation<PassageSearch, FoundPassages & { languages: string[] }> = {
  name: "find-passages",
  mode: "read",
  async run(ctx, search) {
    const found = await findPassages(ctx, search);
    return { ...found, languages: found.isWholeBase ? [] : await articleLanguages(ctx) };
  },
};

/**
 * The search itself, without a look at how large the knowledge base is. What words find is put in order, and completed, by what it
 * means. Where they find nothing, only what is nearer than the floor of the team is found.
 *
 * @param published how many articles there are
 */
export async function searchPassages(
  ctx: Context,
  { questions, limit, nearest }: PassageSearch,
  published: number,
): Promise<FoundPassage[]> {
  const searches = await Promise.all(searchesOf(questions).map((query) => understandAndSearch(ctx, { query, limit })));
  const byWords = fuseRanks(searches.map(({ articles }) => articles.map(({ id }) => id)));
  const { floor = null, passages: nearestOnes = [] } = nearest ?? {};
  const near = byWords.length > 0 ? nearestOnes : nearestOnes.filter(({ cosine }) => floor !== null && cosine >= floor);
  if (byWords.length === 0 && near.length === 0) return [];
  const ids = listParam([...new Set([...byWords, ...near.map(({ articleId }) => articleId)])]);
  const read = await ctx.db.all(publishedArticlesById, { team_id: ctx.teamId, ids });
  const byId = new Map(read.map((article) => [article.id, article]));
  const current = nearest ? currentOnes({ ...nearest, passages: near }, byId) : new Map<string, number[]>();
  const asked = searches.flatMap((search) => search.asked);
  const passages = fuseRanks([byWords, [...current.keys()]])
    .slice(0, limit)
    .flatMap((id) => byId.get(id) ?? [])
    .map((article) => inOrder(article, asked, { published, near: current.get(article.id) ?? [] }));
  return bestOfEach(passages, limit);
}

/**
 * Those passages whose vector was made of the text that is published now, by their articles, the nearest first. What was changed
 * since, unpublished or removed is not among them.
 */
function currentOnes({ by, passages }: NearestPassages, byId: ReadonlyMap<string, ReadArticle>): Map<string, number[]> {
  const current = new Map<string, number[]>();
  for (const { articleId, passage, fingerprint } of passages) {
    const article = byId.get(articleId);
    const text = article && passagesOf(article)[passage];
    if (!text || fingerprintOf(text, by) !== fingerprint) continue;
    const numbers = current.get(articleId) ?? [];
    current.set(articleId, [...numbers, passage]);
  }
  return current;
}

/** All published articles, when they have few enough tokens. */
async function smallBase(ctx: Context, published: number): Promise<ReadArticle[] | undefined> {
  if (published > WHOLE_BASE_ARTICLES) return undefined;
  const team = { team_id: ctx.teamId };
  const { characters = 0 } = (await ctx.db.first(publishedCharacters, team)) ?? {};
  if (characters > WHOLE_BASE_CHARACTERS) return undefined;
  const articles = await ctx.db.all(publishedArticles, team);
  let tokens = 0;
  for (const { question, answer } of articles) tokens += estimateTokens(question) + estimateTokens(answer);
  return tokens <= WHOLE_BASE_TOKENS ? articles : undefined;
}

function toPassages(article: ReadArticle): FoundPassage[] {
  const { id: articleId, updated_at: updatedAt, address } = article;
  return passagesOf(article).map((passage) => ({ articleId, ...passage, updatedAt, address }));
}

/** The passages of an article, those with more words of the question, or nearer to it, first. */
function inOrder(
  article: ReadArticle,
  asked: readonly UnderstoodWord[],
  { published, near }: { published: number; near: readonly number[] },
): FoundPassage[] {
  const passages = toPassages(article);
  return fuseRanks([rankPassages(passages, asked, published), near]).flatMap((number) => passages[number] ?? []);
}
