import type { ArticleText } from "@frontdesk/core/domain/article";
import { articleWords } from "@frontdesk/core/domain/article-ranking";
import { backward } from "@frontdesk/core/domain/word-likeness";
import type { Context } from "../context.ts";
import { listParam, wordsParam } from "../storage/dialect.ts";
import { countWordsIn, countWordsOut, deleteArticleWords, deleteUnheldWords, putArticleWords } from "./word-store.ts";

/**
 * Makes an article findable by these texts, or by nothing (`undefined`: a draft, or a deleted one). Returns its words as they
 * are stored in its row. The stored words are used to remove an article from the index, however texts are split into words by
 * then.
 *
 * @param before the words that are in its row so far
 */
export function setArticleWords(
  ctx: Context,
  articleId: string,
  before: string,
  text: ArticleText | undefined,
): StoredWords {
  const held = readWords(before);
  const weights = text ? articleWords(text) : new Map<string, number>();
  const words = [...weights].map(([word, weight]) => ({ word, backward: backward(word), weight }));
  const changed = words.filter(({ word, weight }) => held[word] !== weight);
  const added = words.filter(({ word }) => !Object.hasOwn(held, word));
  const gone = Object.keys(held).filter((word) => !weights.has(word));

  const article = { team_id: ctx.teamId, article_id: articleId };
  if (gone.length > 0) {
    const list = listParam(gone);
    ctx.write(deleteArticleWords, { ...article, words: list });
    ctx.write(countWordsOut, { team_id: ctx.teamId, words: list });
    ctx.write(deleteUnheldWords, { team_id: ctx.teamId, words: list });
  }
  if (changed.length > 0) ctx.write(putArticleWords, { ...article, words: wordsParam(changed) });
  if (added.length > 0) ctx.write(countWordsIn, { team_id: ctx.teamId, words: wordsParam(added) });
  return JSON.stringify(Object.fromEntries(weights));
}

/** JSON: each word of an article with its weight. */
type StoredWords = string;

/** The words of an article that no search finds. */
export const NO_WORDS: StoredWords = "{}";

export const readWords = (stored: StoredWords): Record<string, number> => JSON.parse(stored);
