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

export const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`;
