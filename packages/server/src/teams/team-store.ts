import { statement, wholeRow } from "../storage/statement.ts";
import type { TeamCountersRow, TeamRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

export const insertTeam = statement<TeamRow>((db, param) => db.insertInto("teams").values(wholeRow(param, "teams")));

export const insertTeamCounters = statement<TeamCountersRow>((db, param) =>
  db.insertInto("team_counters").values(wholeRow(param, "team_counters")),
);

export const teamById = statement<OfTeam, TeamRow>((db, param) =>
  db.selectFrom("teams").selectAll().where("team_id", "=", param("team_id")),
);

/** The stored totals of the team's lists. */
export const teamCounters = statement<OfTeam, TeamCountersRow>((db, param) =>
  db.selectFrom("team_counters").selectAll().where("team_id", "=", param("team_id")),
);

/** Every team of the installation, oldest first: for the command line, where `--team` is optional with a single team. */
export const allTeams = statement<Record<never, never>, TeamRow>((db) =>
  db.selectFrom("teams").selectAll().orderBy("created_at").orderBy("team_id"),
);

export const updateTeamRow = statement<Pick<TeamRow, "team_id" | "name" | "api_access">>((db, param) =>
  db
    .updateTable("teams")
    .set({ name: param("name"), api_access: param("api_access") })
    .where("team_id", "=", param("team_id")),
);

export const setSignInRules = statement<Pick<TeamRow, "team_id" | "factor_rule" | "trusts_browsers">>((db, param) =>
  db
    .updateTable("teams")
    .set({ factor_rule: param("factor_rule"), trusts_browsers: param("trusts_browsers") })
    .where("team_id", "=", param("team_id")),
);

export const setDataRequests = statement<Pick<TeamRow, "team_id" | "data_requests">>((db, param) =>
  db
    .updateTable("teams")
    .set({ data_requests: param("data_requests") })
    .where("team_id", "=", param("team_id")),
);
