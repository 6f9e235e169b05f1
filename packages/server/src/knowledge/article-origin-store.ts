import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { ArticleOriginRow, ArticleRow } from "../storage/tables.ts";

interface ListedOrigin extends Pick<ArticleRow, "source" | "address" | "file_name"> {
  article_id: string;
  conversation_id: string | null;
}

/** `ids`: `listParam` of articles. */
export const originsOfArticles = statement<{ team_id: string; ids: string }, ListedOrigin>((db, param, dialect) =>
  db
    .selectFrom("articles")
    .leftJoin("article_origins", (join) =>
      join
        .onRef("article_origins.team_id", "=", "articles.team_id")
        .onRef("article_origins.article_id", "=", "articles.id"),
    )
    .select([
      "articles.id as article_id",
      "articles.source",
      "articles.address",
      "articles.file_name",
      "article_origins.conversation_id",
    ])
    .where("articles.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("articles.id"), param("ids"))),
);

/** The latest article that was drafted from a conversation. */
export const articleOfConversation = statement<
  { team_id: string; conversation_id: string },
  Pick<ArticleRow, "id" | "question">
>((db, param) =>
  db
    .selectFrom("article_origins")
    .innerJoin("articles", (join) =>
      join
        .onRef("articles.team_id", "=", "article_origins.team_id")
        .onRef("articles.id", "=", "article_origins.article_id"),
    )
    .select(["articles.id", "articles.question"])
    .where("article_origins.team_id", "=", param("team_id"))
    .where("article_origins.conversation_id", "=", param("conversation_id"))
    .orderBy("articles.id", "desc")
    .limit(sql.lit(1)),
);

export const insertArticleOrigin = statement<ArticleOriginRow>((db, param) =>
  db.insertInto("article_origins").values(wholeRow(param, "article_origins")),
);

export const deleteArticleOrigin = statement<{ team_id: string; article_id: string }>((db, param) =>
  db
    .deleteFrom("article_origins")
    .where("team_id", "=", param("team_id"))
    .where("article_id", "=", param("article_id")),
);
