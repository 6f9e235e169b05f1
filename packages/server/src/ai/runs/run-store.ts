import { sql } from "kysely";
import { statement, wholeRow } from "../../storage/statement.ts";
import type { AiMessageRow, AiRunRow } from "../../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

export const insertAiRun = statement<AiRunRow>((db, param) =>
  db.insertInto("ai_runs").values(wholeRow(param, "ai_runs")),
);

export const insertAiMessage = statement<AiMessageRow>((db, param) =>
  db.insertInto("ai_messages").values(wholeRow(param, "ai_messages")),
);

export const aiRunById = statement<OfTeam & { id: string }, AiRunRow>((db, param) =>
  db.selectFrom("ai_runs").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

type Page = OfTeam & { limit: number; offset: number };

/** Newest first. */
export const aiRunPage = statement<Page, AiRunRow>((db, param) =>
  db
    .selectFrom("ai_runs")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const aiRunTotal = statement<OfTeam, { total: number }>((db, param) =>
  db
    .selectFrom("ai_runs")
    .select((row) => row.fn.countAll<number>().as("total"))
    .where("team_id", "=", param("team_id")),
);

/** The same of one conversation. */
export const aiRunPageOf = statement<Page & { conversation_id: string }, AiRunRow>((db, param) =>
  db
    .selectFrom("ai_runs")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const aiRunTotalOf = statement<OfTeam & { conversation_id: string }, { total: number }>((db, param) =>
  db
    .selectFrom("ai_runs")
    .select((row) => row.fn.countAll<number>().as("total"))
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

/** How long a run is kept; what it has cost is in `ai_usage`. */
export const RUN_LIFE_MS = 30 * 24 * 3_600_000;

/** Which runs have expired: those that ended before this time, ms since the epoch. */
export interface OldRuns {
  before: number;
}

const EVERY_ROW = 2_147_483_647;

/** The teams that have old runs, each once. */
export const teamsWithOldRuns = statement<OldRuns, { team_id: string }>((db, param) =>
  db
    .selectFrom((query) =>
      query
        .selectFrom("ai_runs")
        .select("team_id")
        .where("created_at", "<", param("before"))
        .limit(sql.lit(EVERY_ROW))
        .as("old"),
    )
    .select("team_id")
    .distinct(),
);

/** Deletes old runs of the team, at most `limit` of them. */
export const deleteOldRuns = statement<OldRuns & OfTeam & { limit: number }>((db, param) =>
  db
    .deleteFrom("ai_runs")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", (row) =>
      row
        .selectFrom("ai_runs")
        .select("id")
        .where("team_id", "=", param("team_id"))
        .where("created_at", "<", param("before"))
        .limit(param("limit")),
    ),
);

/** What was said between the AI and the model in a conversation; what each run did and cost stays. */
export const forgetRunDetails = statement<OfTeam & { conversation_id: string }>((db, param) =>
  db
    .updateTable("ai_runs")
    .set({ details_sealed: null })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id")),
);
