import { statement } from "../storage/statement.ts";

interface OfTeam {
  team_id: string;
}

/** When the team's newest event happened. */
export const newestEvent = statement<OfTeam, { occurred_at: number }>((db, param) =>
  db
    .selectFrom("events")
    .select("occurred_at")
    .where("team_id", "=", param("team_id"))
    .orderBy("number", "desc")
    .limit(1),
);

/** How many jobs of each kind were given up, and why the last one was. */
export const failedJobs = statement<OfTeam, { kind: string; total: number; last_error: string | null }>((db, param) =>
  db
    .selectFrom("jobs")
    .select((row) => ["kind", row.fn.countAll<number>().as("total"), row.fn.max("last_error").as("last_error")])
    .where("team_id", "=", param("team_id"))
    .where("state", "=", "failed")
    .groupBy("kind")
    .orderBy("kind"),
);
