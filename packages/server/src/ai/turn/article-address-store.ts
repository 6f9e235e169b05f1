import { statement } from "../../storage/statement.ts";
import type { ArticleRow } from "../../storage/tables.ts";

/** Where articles (`listParam` of ids) can be read outside. */
export const articleAddresses = statement<{ team_id: string; ids: string }, Pick<ArticleRow, "id" | "address">>(
  (db, param, dialect) =>
    db
      .selectFrom("articles")
      .select(["id", "address"])
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);
