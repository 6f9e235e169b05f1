import { SEARCH_MAX } from "@frontdesk/core/contract/fields";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import type { UnderstoodWord } from "@frontdesk/core/domain/article-ranking";
import { bestOfEach, fuseRanks, rankPassages } from "@frontdesk/core/domain/passage-ranking";
import { passagesOf, piecesOf } from "@frontdesk/core/domain/passages";
import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { countersOf } from "../teams/team-counters.ts";
import { publishedArticles, publishedArticlesById, publishedCharacters, type ReadArticle } from "./passage-store.ts";
import { understandAndSearch } from "./search-articles.ts";

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
/** How many searches are made for one burst of messages: the latest messages, and all of them in one. */
const SEARCHES_MAX = 4;
/** A sentence that ends in a question mark of any script. */
const ASKING = /[^.!?。！？؟\n]+[?？؟]/gu;

/**
 * What the published articles say about some questions, for a language model: passages of the articles that fit best, none when
 * nothing fits; or the whole knowledge base, when it is small, in an order that stays (the model's cache of prompts).
 */
export async function findPassages(ctx: Context, { questions, limit }: PassageSearch): Promise<FoundPassages> {
  const { published_articles: published } = await countersOf(ctx);
  const all = await smallBase(ctx, published);
  if (all) return { passages: all.flatMap(toPassages), isWholeBase: true };

  const searches = await Promise.all(searchesOf(questions).map((query) => understandAndSearch(ctx, { query, limit })));
  const ids = fuseRanks(searches.map(({ articles }) => articles.map(({ id }) => id))).slice(0, limit);
  if (ids.length === 0) return { passages: [], isWholeBase: false };
  const read = await ctx.db.all(publishedArticlesById, { team_id: ctx.teamId, ids: listParam(ids) });
  const byId = new Map(read.map((article) => [article.id, article]));
  const asked = searches.flatMap((search) => search.asked);
  const passages = ids.flatMap((id) => byId.get(id) ?? []).map((article) => inOrder(article, asked, published));
  return { passages: bestOfEach(passages, limit), isWholeBase: false };
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

/**
 * What is searched for: all messages in one, when that is short; then the last ones, each alone. Of a long one its sentences that
 * ask come first: the words of the others would hide theirs.
 */
function searchesOf(questions: readonly string[]): string[] {
  const asked = questions.map((question) => question.trim()).filter((question) => question !== "");
  const folded = asked.join("\n");
  const alone = asked.toReversed().flatMap((message) => {
    const isShort = message.length <= SEARCH_MAX;
    return isShort
      ? [message]
      : [...(message.match(ASKING) ?? []), message].flatMap((part) => piecesOf(part, SEARCH_MAX));
  });
  const searches = folded.length <= SEARCH_MAX ? [folded, ...alone] : alone;
  return [...new Set(searches)].filter((search) => search !== "").slice(0, SEARCHES_MAX);
}

function toPassages(article: ReadArticle): FoundPassage[] {
  const { id: articleId, updated_at: updatedAt, address } = article;
  return passagesOf(article).map((passage) => ({ articleId, ...passage, updatedAt, address }));
}

/** The passages of an article, those with more words of the question first. */
function inOrder(article: ReadArticle, asked: readonly UnderstoodWord[], published: number): FoundPassage[] {
  const passages = toPassages(article);
  return rankPassages(passages, asked, published).flatMap((number) => passages[number] ?? []);
}
