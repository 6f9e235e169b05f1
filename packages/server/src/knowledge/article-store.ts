import { every, statement, wholeRow } from "../storage/statement.ts";
import type { ArticleRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
interface ById extends OfTeam {
  id: string;
}

const shownColumns = [
  "id",
  "question",
  "answer",
  "is_published",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies (keyof ArticleRow)[];

/** The public part of an article. */
export type ShownArticle = Pick<ArticleRow, (typeof shownColumns)[number]>;

export const insertArticle = statement<ArticleRow>((db, param) =>
  db.insertInto("articles").values(wholeRow(param, "articles")),
);

export const articleById = statement<ById, ArticleRow>((db, param) =>
  db.selectFrom("articles").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** The latest changed articles come first. */
export const articlePage = statement<OfTeam & { limit: number; offset: number }, ShownArticle>((db, param) =>
  db
    .selectFrom("articles")
    .select(shownColumns)
    .where("team_id", "=", param("team_id"))
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

/** The same for published ones only, or for drafts. */
export const articlePageByState = statement<
  OfTeam & Pick<ArticleRow, "is_published"> & { limit: number; offset: number },
  ShownArticle
>((db, param) =>
  db
    .selectFrom("articles")
    .select(shownColumns)
    .where("team_id", "=", param("team_id"))
    .where("is_published", "=", param("is_published"))
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

/** Several articles (`listParam` of ids), in no order. */
export const articlesById = statement<OfTeam & { ids: string }, ShownArticle>((db, param, dialect) =>
  db
    .selectFrom("articles")
    .select(shownColumns)
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

/** The words of several articles (`listParam` of ids), in no order. */
export const wordsOfArticles = statement<OfTeam & { ids: string }, Pick<ArticleRow, "id" | "words">>(
  (db, param, dialect) =>
    db
      .selectFrom("articles")
      .select(["id", "words"])
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

export const updateArticleRow = statement<
  ById & Pick<ArticleRow, "question" | "answer" | "is_published" | "updated_at" | "words">
>((db, param) =>
  db
    .updateTable("articles")
    .set(every(param, ["question", "answer", "is_published", "updated_at", "words"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const deleteArticleRow = statement<ById>((db, param) =>
  db.deleteFrom("articles").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);
