import { every, statement } from "../storage/statement.ts";
import type { QueuedChangeRow } from "../storage/tables.ts";

type ById = Pick<QueuedChangeRow, "team_id" | "id">;

export const insertQueuedChange = statement<QueuedChangeRow>((db, param) =>
  db
    .insertInto("queued_changes")
    .values(
      every(param, [
        "team_id",
        "id",
        "assistant_id",
        "conversation_id",
        "operation",
        "input",
        "state",
        "message",
        "queued_at",
        "ended_at",
      ]),
    ),
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

/** The newest of the team. */
export const queuedChangePage = statement<{ team_id: string; limit: number; offset: number }, QueuedChangeRow>(
  (db, param) =>
    db
      .selectFrom("queued_changes")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .orderBy("id", "desc")
      .limit(param("limit"))
      .offset(param("offset")),
);
