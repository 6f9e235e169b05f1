import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { ArticleRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

const readColumns = ["id", "question", "answer", "updated_at", "address"] as const satisfies (keyof ArticleRow)[];

/** What passages are made of. */
export type ReadArticle = Pick<ArticleRow, (typeof readColumns)[number]>;

/** How many characters the published articles have together. */
export const publishedCharacters = statement<OfTeam, { characters: number }>((db, param) =>
  db
    .selectFrom("articles")
    .select(sql<number>`cast(coalesce(sum(length(question) + length(answer)), 0) as bigint)`.as("characters"))
    .where("team_id", "=", param("team_id"))
    .where("is_published", "=", 1),
);

/** All published articles, the oldest first. */
export const publishedArticles = statement<OfTeam, ReadArticle>((db, param) =>
  db
    .selectFrom("articles")
    .select(readColumns)
    .where("team_id", "=", param("team_id"))
    .where("is_published", "=", 1)
    .orderBy("id"),
);

/** Those of several articles (`listParam` of ids) that are published, in no order. */
export const publishedArticlesById = statement<OfTeam & { ids: string }, ReadArticle>((db, param, dialect) =>
  db
    .selectFrom("articles")
    .select(readColumns)
    .where("team_id", "=", param("team_id"))
    .where("is_published", "=", 1)
    .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

/** The published ones after an id, in the order of their ids. */
export const publishedArticlesAfter = statement<OfTeam & { after: string; limit: number }, ReadArticle>((db, param) =>
  db
    .selectFrom("articles")
    .select(readColumns)
    .where("team_id", "=", param("team_id"))
    .where("is_published", "=", 1)
    .where("id", ">", param("after"))
    .orderBy("id")
    .limit(param("limit")),
);

/** The article that was changed last, drafts included. */
export const newestChange = statement<OfTeam, Pick<ArticleRow, "id" | "updated_at">>((db, param) =>
  db
    .selectFrom("articles")
    .select(["id", "updated_at"])
    .where("team_id", "=", param("team_id"))
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(1)),
);

/** Each `step`th of the articles, those changed last first, with the beginning of its answer; drafts are left out. */
export const publishedSample = statement<
  OfTeam & { step: number },
  Pick<ArticleRow, "question"> & { beginning: string }
>((db, param) =>
  db
    .selectFrom((ranked) =>
      // Counted along an index, so that of the others nothing is read.
      ranked
        .selectFrom("articles")
        .select("id")
        .select(sql<number>`row_number() over (order by updated_at desc, id desc)`.as("place"))
        .where("team_id", "=", param("team_id"))
        .as("ranked"),
    )
    .innerJoin("articles", (join) =>
      join.onRef("articles.id", "=", "ranked.id").on("articles.team_id", "=", param("team_id")),
    )
    .select(["articles.question", sql<string>`substr(articles.answer, 1, 300)`.as("beginning")])
    .where("articles.is_published", "=", 1)
    .where(sql<boolean>`ranked.place % ${param("step")} = 0`)
    .orderBy("ranked.place"),
);
