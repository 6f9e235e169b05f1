import { sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { QueuedChangeRow } from "../storage/tables.ts";

type ById = Pick<QueuedChangeRow, "team_id" | "id">;

export const insertQueuedChange = statement<QueuedChangeRow>((db, param) =>
  db.insertInto("queued_changes").values(wholeRow(param, "queued_changes")),
);

export const queuedChangeById = statement<ById, QueuedChangeRow>((db, param) =>
  db.selectFrom("queued_changes").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

export const endQueuedChange = statement<ById & Pick<QueuedChangeRow, "state" | "message" | "ended_at">>((db, param) =>
  db
    .updateTable("queued_changes")
    .set(every(param, ["state", "message", "ended_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Of one connection, the newest first. */
export const queuedChangePage = statement<
  { team_id: string; assistant_id: string; limit: number; offset: number },
  QueuedChangeRow
>((db, param) =>
  db
    .selectFrom("queued_changes")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("assistant_id", "=", param("assistant_id"))
    .orderBy("queued_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const queuedChangeTotal = statement<{ team_id: string; assistant_id: string }, { total: number }>((db, param) =>
  db
    .selectFrom("queued_changes")
    .select(sql<number>`count(*)`.as("total"))
    .where("team_id", "=", param("team_id"))
    .where("assistant_id", "=", param("assistant_id")),
);

/** Which changes have expired: those that ended then (ms) or earlier, whatever their end. */
export interface OldChanges {
  ended_before: number;
  /** None of them has this id or a later one: ids rise with time, so only the old end of the table is read. */
  before_id: string;
}

/** The teams that have old changes, each once. */
export const teamsWithOldChanges = statement<OldChanges, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("queued_changes")
          .select(val(1).as("one"))
          .whereRef("queued_changes.team_id", "=", "teams.team_id")
          .where("id", "<", param("before_id"))
          .where("ended_at", "<=", param("ended_before")),
      ),
    ),
);

/** Deletes old changes of the team, at most `limit` of them, the oldest first. */
export const deleteOldChanges = statement<OldChanges & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("queued_changes")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("queued_changes")
        .select("id")
        .where("team_id", "=", param("team_id"))
        .where("id", "<", param("before_id"))
        .where("ended_at", "<=", param("ended_before"))
        .orderBy("id")
        .limit(param("limit")),
    ),
);
