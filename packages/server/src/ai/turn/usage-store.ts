import { statement, wholeRow } from "../../storage/statement.ts";
import type { AiContactUsageRow, AiSettingsRow, AiUsageRow } from "../../storage/tables.ts";

/** The days of a team from one to another, both included. */
export const usageBetween = statement<{ team_id: string; from: string; to: string }, AiUsageRow>((db, param) =>
  db
    .selectFrom("ai_usage")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("day", ">=", param("from"))
    .where("day", "<=", param("to")),
);

/** Adds tokens to a day, and replaces what is set aside of it: the team's writes come one after the other. */
export const addUsage = statement<AiUsageRow>((db, param) =>
  db
    .insertInto("ai_usage")
    .values(wholeRow(param, "ai_usage"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "day"]).doUpdateSet((row) => ({
        tokens: row("ai_usage.tokens", "+", row.ref("excluded.tokens")),
        reservations: row.ref("excluded.reservations"),
      })),
    ),
);

export const contactUsage = statement<Omit<AiContactUsageRow, "answers">, AiContactUsageRow>((db, param) =>
  db
    .selectFrom("ai_contact_usage")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("day", "=", param("day")),
);

export const addContactUsage = statement<AiContactUsageRow>((db, param) =>
  db
    .insertInto("ai_contact_usage")
    .values(wholeRow(param, "ai_contact_usage"))
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "contact_id", "day"])
        .doUpdateSet((row) => ({ answers: row("ai_contact_usage.answers", "+", row.ref("excluded.answers")) })),
    ),
);

/** Answers of days before this one. */
export interface OldContactUsage {
  /** YYYY-MM-DD */
  before_day: string;
}

/** The teams that have some, each once. */
export const teamsWithOldContactUsage = statement<OldContactUsage, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("ai_contact_usage")
          .select(val(1).as("one"))
          .whereRef("ai_contact_usage.team_id", "=", "teams.team_id")
          .where("day", "<", param("before_day")),
      ),
    ),
);

/** Deletes those of about `limit` contacts of the team at most. */
export const deleteOldContactUsage = statement<OldContactUsage & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("ai_contact_usage")
    .where("team_id", "=", param("team_id"))
    .where("day", "<", param("before_day"))
    .where("contact_id", "in", ({ selectFrom }) =>
      selectFrom("ai_contact_usage")
        .select("contact_id")
        .where("team_id", "=", param("team_id"))
        .where("day", "<", param("before_day"))
        .limit(param("limit")),
    ),
);

export const setBreaker = statement<Pick<AiSettingsRow, "team_id" | "breaker">>((db, param) =>
  db
    .updateTable("ai_settings")
    .set({ breaker: param("breaker") })
    .where("team_id", "=", param("team_id")),
);

export const setWarned = statement<Pick<AiSettingsRow, "team_id" | "warned_on">>((db, param) =>
  db
    .updateTable("ai_settings")
    .set({ warned_on: param("warned_on") })
    .where("team_id", "=", param("team_id")),
);

/** The day of a time (ms since the epoch) in UTC: YYYY-MM-DD. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** YYYY-MM */
export const monthOf = (day: string): string => day.slice(0, 7);

export const firstOfMonth = (day: string): string => `${monthOf(day)}-01`;
