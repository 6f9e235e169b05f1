import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { HeldReplyRow } from "../storage/tables.ts";

type ByClientId = Pick<HeldReplyRow, "team_id" | "client_id">;
export type HeldState = "held" | "undone" | "returned" | "returned-by-email";
/** Of a forward, whose row stays when it is sent. */
export type ForwardState = Exclude<HeldState, "returned-by-email"> | "sent";

export const heldReplyByClientId = statement<ByClientId, HeldReplyRow>((db, param) =>
  db
    .selectFrom("held_replies")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("client_id", "=", param("client_id")),
);

/** Those of a conversation that are still held, the newest first. */
export const heldRepliesIn = statement<Pick<HeldReplyRow, "team_id" | "conversation_id">, HeldReplyRow>((db, param) =>
  db
    .selectFrom("held_replies")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("state", "=", sql.lit("held" satisfies HeldState))
    .orderBy("client_id", "desc"),
);

export const putHeldReply = statement<HeldReplyRow>((db, param) =>
  db
    .insertInto("held_replies")
    .values(wholeRow(param, "held_replies"))
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "client_id"])
        .doUpdateSet({ state: sql.ref("excluded.state"), reply: sql.ref("excluded.reply") }),
    ),
);

export const deleteHeldReply = statement<ByClientId>((db, param) =>
  db.deleteFrom("held_replies").where("team_id", "=", param("team_id")).where("client_id", "=", param("client_id")),
);

export interface OldHeldReplies {
  before: number;
}

/** The teams that have replies from before `before` that are not held any more, each once. */
export const teamsWithOldHeldReplies = statement<OldHeldReplies, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("held_replies")
          .select(val(1).as("one"))
          .whereRef("held_replies.team_id", "=", "teams.team_id")
          .where("state", "<>", sql.lit("held" satisfies HeldState))
          .where("created_at", "<", param("before")),
      ),
    ),
);

/** Deletes at most `limit` of them. */
export const deleteOldHeldReplies = statement<OldHeldReplies & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("held_replies")
    .where("team_id", "=", param("team_id"))
    .where("client_id", "in", ({ selectFrom }) =>
      selectFrom("held_replies")
        .select("client_id")
        .where("team_id", "=", param("team_id"))
        .where("state", "<>", sql.lit("held" satisfies HeldState))
        .where("created_at", "<", param("before"))
        .limit(param("limit")),
    ),
);
