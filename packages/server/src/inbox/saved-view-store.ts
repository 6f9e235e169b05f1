import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { SavedViewRow } from "../storage/tables.ts";

interface OfAgent {
  team_id: string;
  agent_id: string;
}

/** An agent's saved views, in the order of their creation. */
export const savedViewsOf = statement<OfAgent, SavedViewRow>((db, param) =>
  db
    .selectFrom("saved_views")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .orderBy("id"),
);

/** Replaces the one with the same id, if there is one. */
export const putSavedView = statement<SavedViewRow>((db, param) =>
  db
    .insertInto("saved_views")
    .values(wholeRow(param, "saved_views"))
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "agent_id", "id"])
        .doUpdateSet({ name: sql.ref("excluded.name"), query: sql.ref("excluded.query") }),
    ),
);

export const deleteSavedView = statement<OfAgent & { id: string }>((db, param) =>
  db
    .deleteFrom("saved_views")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("id", "=", param("id")),
);
