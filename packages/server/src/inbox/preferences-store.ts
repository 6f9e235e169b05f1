import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { PreferencesRow } from "../storage/tables.ts";

export const preferencesOf = statement<{ team_id: string; agent_id: string }, PreferencesRow>((db, param) =>
  db
    .selectFrom("preferences")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

export const putPreferences = statement<PreferencesRow>((db, param) =>
  db
    .insertInto("preferences")
    .values(wholeRow(param, "preferences"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "agent_id"]).doUpdateSet({ value: sql.ref("excluded.value") }),
    ),
);
