import { every, statement } from "../storage/statement.ts";
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
  db
    .insertInto("idempotency_keys")
    .values(every(param, ["team_id", "api_key_id", "key", "fingerprint", "status", "body_sealed", "created_at"])),
);

/** Forgets the team's answers from before `before`. */
export const deleteOldAnswers = statement<{ team_id: string; before: number }>((db, param) =>
  db.deleteFrom("idempotency_keys").where("team_id", "=", param("team_id")).where("created_at", "<=", param("before")),
);
