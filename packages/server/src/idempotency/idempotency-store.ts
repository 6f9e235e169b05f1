import { statement, wholeRow } from "../storage/statement.ts";
import type { IdempotencyKeyRow } from "../storage/tables.ts";

export const answerByKey = statement<{ team_id: string; api_key_id: string; key: string }, IdempotencyKeyRow>(
  (db, param) =>
    db
      .selectFrom("idempotency_keys")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where("api_key_id", "=", param("api_key_id"))
      .where("key", "=", param("key")),
);

export const insertAnswer = statement<IdempotencyKeyRow>((db, param) =>
  db.insertInto("idempotency_keys").values(wholeRow(param, "idempotency_keys")),
);

/** Deletes the team's answers from before `before`. */
export const deleteOldAnswers = statement<{ team_id: string; before: number }>((db, param) =>
  db.deleteFrom("idempotency_keys").where("team_id", "=", param("team_id")).where("created_at", "<=", param("before")),
);

/** The teams that have answers from before `before`, each once. */
export const teamsWithOldAnswers = statement<{ before: number }, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("idempotency_keys")
          .select(val(1).as("one"))
          .whereRef("idempotency_keys.team_id", "=", "teams.team_id")
          .where("created_at", "<=", param("before")),
      ),
    ),
);

/** As `deleteOldAnswers`, at most `limit` of them. */
export const deleteSomeOldAnswers = statement<{ team_id: string; before: number; limit: number }>((db, param) =>
  db
    .deleteFrom("idempotency_keys")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("api_key_id", "key"),
        "in",
        selectFrom("idempotency_keys")
          .select(["api_key_id", "key"])
          .where("team_id", "=", param("team_id"))
          .where("created_at", "<=", param("before"))
          .limit(param("limit"))
          .$asTuple("api_key_id", "key"),
      ),
    ),
);
