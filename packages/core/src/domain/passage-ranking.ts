/** Which passages of found articles are read (docs/decisions/0079-hybrid-search.md). Numbers in, numbers out. */
import { articleWords, rankArticles, type UnderstoodWord } from "./article-ranking.ts";
import type { Passage } from "./passages.ts";

/** The usual constant: how little a first place counts for more than a second. */
const PLACES = 60;

/** The order of what is in several orders: reciprocal rank fusion. Of equal ones, the one that is in an earlier order. */
export function fuseRanks<Key>(orders: readonly (readonly Key[])[]): Key[] {
  const scores = new Map<Key, number>();
  for (const order of orders) {
    for (const [place, key] of order.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (PLACES + place + 1));
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([key]) => key);
}

/**
 * The numbers (from 0) of an article's passages, those with more words of the question first.
 *
 * @param published how many articles there are
 */
export function rankPassages(
  passages: readonly Passage[],
  asked: readonly UnderstoodWord[],
  published: number,
): number[] {
  const all = passages.map((_, number) => number);
  if (passages.length === 1) return all;
  const sought = new Set(asked.flatMap(({ parts }) => parts.flat()).map(({ word }) => word));
  const places = passages.flatMap(({ title, text }, number) =>
    [...articleWords({ question: title, answer: text })]
      .filter(([word]) => sought.has(word))
      .map(([word, weight]) => ({ word, article_id: String(number), weight })),
  );
  const scores = new Map(rankArticles(asked, places, published).map(({ id, score }) => [Number(id), score]));
  return all.sort((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0) || one - other);
}

/**
 * The first `limit` of them, the best of each article before the second of any.
 *
 * @param articles the passages of each, the best first
 */
export function bestOfEach<Item>(articles: readonly (readonly Item[])[], limit: number): Item[] {
  const taken: Item[] = [];
  const most = Math.max(0, ...articles.map(({ length }) => length));
  for (let round = 0; round < most && taken.length < limit; round += 1) {
    taken.push(...articles.flatMap((passages) => passages.slice(round, round + 1)));
  }
  return taken.slice(0, limit);
}
