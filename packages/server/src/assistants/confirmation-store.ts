import { every, statement } from "../storage/statement.ts";
import type { ConfirmationRow } from "../storage/tables.ts";

type ByToken = Pick<ConfirmationRow, "team_id" | "token_hash">;

export const insertConfirmation = statement<ConfirmationRow>((db, param) =>
  db
    .insertInto("confirmations")
    .values(every(param, ["team_id", "token_hash", "assistant_id", "tool", "arguments_hash", "expires_at"])),
);

export const confirmationByToken = statement<ByToken, ConfirmationRow>((db, param) =>
  db
    .selectFrom("confirmations")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

export const deleteConfirmation = statement<ByToken>((db, param) =>
  db.deleteFrom("confirmations").where("team_id", "=", param("team_id")).where("token_hash", "=", param("token_hash")),
);

/** What can be given no more. */
export const deleteOldConfirmations = statement<{ team_id: string; before: number }>((db, param) =>
  db.deleteFrom("confirmations").where("team_id", "=", param("team_id")).where("expires_at", "<=", param("before")),
);
