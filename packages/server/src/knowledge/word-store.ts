import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { ArticleWordRow, KnowledgeWordRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
interface OfArticle extends OfTeam {
  article_id: string;
}

/** A word of the published articles, and how many contain it. */
export type KnownWord = Pick<KnowledgeWordRow, "word" | "articles">;

/** Adds words (`wordsParam`) to an article in the index, or changes their weights. */
export const putArticleWords = statement<OfArticle & { words: string }>((db, param, dialect) =>
  db
    .insertInto("article_words")
    .columns(["team_id", "word", "article_id", "weight"])
    .expression(
      db
        .selectFrom(dialect.listedWords(param("words")).as("listed"))
        .select([param("team_id").as("team_id"), "listed.word", param("article_id").as("article_id"), "listed.weight"])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(["team_id", "word", "article_id"]).doUpdateSet({ weight: sql.ref("excluded.weight") }),
    ),
);

/** Removes words (`listParam`) of an article from the index. */
export const deleteArticleWords = statement<OfArticle & { words: string }>((db, param, dialect) =>
  db
    .deleteFrom("article_words")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInTexts(row.ref("word"), param("words")))
    .where("article_id", "=", param("article_id")),
);

/** One more article contains each of these words (`wordsParam`). */
export const countWordsIn = statement<OfTeam & { words: string }>((db, param, dialect) =>
  db
    .insertInto("knowledge_words")
    .columns(["team_id", "word", "backward", "articles"])
    .expression(
      db
        .selectFrom(dialect.listedWords(param("words")).as("listed"))
        .select([param("team_id").as("team_id"), "listed.word", "listed.backward", sql<number>`1`.as("articles")])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(["team_id", "word"]).doUpdateSet({ articles: sql<number>`knowledge_words.articles + 1` }),
    ),
);

/** One article fewer contains each of these words (`listParam`). */
export const countWordsOut = statement<OfTeam & { words: string }>((db, param, dialect) =>
  db
    .updateTable("knowledge_words")
    .set({ articles: sql<number>`articles - 1` })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInTexts(row.ref("word"), param("words"))),
);

/** Removes those of these words (`listParam`) that no article contains any more. */
export const deleteUnheldWords = statement<OfTeam & { words: string }>((db, param, dialect) =>
  db
    .deleteFrom("knowledge_words")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInTexts(row.ref("word"), param("words")))
    .where("articles", "=", 0),
);

/** Those of `words` (`listParam`) that the team has. */
export const knownWords = statement<OfTeam & { words: string }, KnownWord>((db, param, dialect) =>
  db
    .selectFrom("knowledge_words")
    .select(["word", "articles"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInTexts(row.ref("word"), param("words"))),
);

/** A range of words: from `from`, inclusive, to `before`, exclusive, in the order of their bytes. */
interface Range extends OfTeam {
  from: string;
  to: string;
  limit: number;
}

/** The words in a range, in its order. */
export const wordsBetween = statement<Range, KnownWord>((db, param) =>
  db
    .selectFrom("knowledge_words")
    .select(["word", "articles"])
    .where("team_id", "=", param("team_id"))
    .where("word", ">=", param("from"))
    .where("word", "<", param("to"))
    .orderBy("word")
    .limit(param("limit")),
);

/** The words that are in a range when reversed, in its order. */
export const wordsBackwardBetween = statement<Range, KnownWord>((db, param) =>
  db
    .selectFrom("knowledge_words")
    .select(["word", "articles"])
    .where("team_id", "=", param("team_id"))
    .where("backward", ">=", param("from"))
    .where("backward", "<", param("to"))
    .orderBy("backward")
    .limit(param("limit")),
);

/** A word in an article, with its weight there. */
type Place = Pick<ArticleWordRow, "word" | "article_id" | "weight">;

/** Which articles contain these words (`listParam`), in no order. */
export const articlesWithWords = statement<OfTeam & { words: string }, Place>((db, param, dialect) =>
  db
    .selectFrom("article_words")
    .select(["word", "article_id", "weight"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInTexts(row.ref("word"), param("words"))),
);

/** The same for words that very many contain: first the articles with the highest weight, then the newest. */
export const weightiestArticlesWithWords = statement<OfTeam & { words: string; limit: number }, Place>(
  (db, param, dialect) =>
    db
      .selectFrom("article_words")
      .select(["word", "article_id", "weight"])
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isInTexts(row.ref("word"), param("words")))
      .orderBy("weight", "desc")
      .orderBy("article_id", "desc")
      .orderBy("word")
      .limit(param("limit")),
);
