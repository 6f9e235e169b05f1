import { statement, wholeRow } from "../storage/statement.ts";
import type { ConfirmationRow } from "../storage/tables.ts";

type ByToken = Pick<ConfirmationRow, "team_id" | "token_hash">;

export const insertConfirmation = statement<ConfirmationRow>((db, param) =>
  db.insertInto("confirmations").values(wholeRow(param, "confirmations")),
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

/** Confirmations that can no longer be used. */
export const deleteOldConfirmations = statement<{ team_id: string; before: number }>((db, param) =>
  db.deleteFrom("confirmations").where("team_id", "=", param("team_id")).where("expires_at", "<=", param("before")),
);

/** The teams that have confirmations which are over, each once. */
export const teamsWithOldConfirmations = statement<{ before: number }, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("confirmations")
          .select(val(1).as("one"))
          .whereRef("confirmations.team_id", "=", "teams.team_id")
          .where("expires_at", "<=", param("before")),
      ),
    ),
);

/** As `deleteOldConfirmations`, at most `limit` of them. */
export const deleteSomeOldConfirmations = statement<{ team_id: string; before: number; limit: number }>((db, param) =>
  db
    .deleteFrom("confirmations")
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "in", ({ selectFrom }) =>
      selectFrom("confirmations")
        .select("token_hash")
        .where("team_id", "=", param("team_id"))
        .where("expires_at", "<=", param("before"))
        .limit(param("limit")),
    ),
);
