import { sql } from "kysely";
import { statement, wholeRow } from "../../storage/statement.ts";
import type { ArticleVectorRow, ArticleVectorVersionRow } from "../../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
interface OfArticle extends OfTeam {
  article_id: string;
}

/** Undefined while the team has never had a vector. */
export const vectorVersions = statement<OfTeam, ArticleVectorVersionRow>((db, param) =>
  db.selectFrom("article_vector_versions").selectAll().where("team_id", "=", param("team_id")),
);

export const putVectorVersions = statement<ArticleVectorVersionRow>((db, param) =>
  db
    .insertInto("article_vector_versions")
    .values(wholeRow(param, "article_vector_versions"))
    .onConflict((conflict) =>
      conflict.column("team_id").doUpdateSet({
        version: sql.ref("excluded.version"),
        removed_version: sql.ref("excluded.removed_version"),
        floor: sql.ref("excluded.floor"),
        floor_by: sql.ref("excluded.floor_by"),
      }),
    ),
);

/** Of several articles (`listParam` of ids), in no order. */
export const fingerprintsOfArticles = statement<
  OfTeam & { ids: string },
  Pick<ArticleVectorRow, "article_id" | "passage" | "fingerprint">
>((db, param, dialect) =>
  db
    .selectFrom("article_vectors")
    .select(["article_id", "passage", "fingerprint"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("article_id"), param("ids"))),
);

/** Those from a version on, the oldest first. */
export const vectorsFrom = statement<OfTeam & { version: number; limit: number }, Omit<ArticleVectorRow, "team_id">>(
  (db, param) =>
    db
      .selectFrom("article_vectors")
      .select(["article_id", "passage", "fingerprint", "vector", "version"])
      .where("team_id", "=", param("team_id"))
      .where("version", ">=", param("version"))
      .orderBy("version")
      .limit(param("limit")),
);

/** Any one. */
export const someVector = statement<OfTeam, Pick<ArticleVectorRow, "article_id">>((db, param) =>
  db.selectFrom("article_vectors").select("article_id").where("team_id", "=", param("team_id")).limit(1),
);

export const putVector = statement<ArticleVectorRow>((db, param) =>
  db
    .insertInto("article_vectors")
    .values(wholeRow(param, "article_vectors"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "article_id", "passage"]).doUpdateSet({
        fingerprint: sql.ref("excluded.fingerprint"),
        vector: sql.ref("excluded.vector"),
        version: sql.ref("excluded.version"),
      }),
    ),
);

export const deleteVectorsOfArticle = statement<OfArticle>((db, param) =>
  db
    .deleteFrom("article_vectors")
    .where("team_id", "=", param("team_id"))
    .where("article_id", "=", param("article_id")),
);

export const deleteVector = statement<OfArticle & { passage: number }>((db, param) =>
  db
    .deleteFrom("article_vectors")
    .where("team_id", "=", param("team_id"))
    .where("article_id", "=", param("article_id"))
    .where("passage", "=", param("passage")),
);

export const deleteVectors = statement<OfTeam>((db, param) =>
  db.deleteFrom("article_vectors").where("team_id", "=", param("team_id")),
);

/** Those of articles that are gone, or drafts. */
export const vectorsOfNoArticle = statement<OfTeam, Pick<ArticleVectorRow, "article_id">>((db, param) =>
  db
    .selectFrom("article_vectors")
    .select("article_id")
    .distinct()
    .where("team_id", "=", param("team_id"))
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("articles")
            .select("articles.id")
            .where("articles.team_id", "=", param("team_id"))
            .whereRef("articles.id", "=", "article_vectors.article_id")
            .where("articles.is_published", "=", 1),
        ),
      ),
    ),
);
