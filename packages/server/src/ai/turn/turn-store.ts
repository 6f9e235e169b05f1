import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import type { MessageType } from "@frontdesk/core/domain/conversation";
import { sql } from "kysely";
import { statement, wholeRow } from "../../storage/statement.ts";
import type { AiTurnRow, ConversationRow } from "../../storage/tables.ts";

type Key = Pick<AiTurnRow, "team_id" | "conversation_id">;

/** Sets the turn of a conversation, or moves it to a later message: as long as nothing has answered, it is the same turn. */
export const putTurn = statement<AiTurnRow & { latest: number }>((db, param) =>
  db
    .insertInto("ai_turns")
    .values(wholeRow(param, "ai_turns"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "conversation_id"]).doUpdateSet((row) => ({
        upto: row.ref("excluded.upto"),
        due_at: row
          .case()
          .when("excluded.due_at", "<", sql<number>`${row.ref("ai_turns.first_at")} + ${param("latest")}`)
          .then(row.ref("excluded.due_at"))
          .else(sql<number>`${row.ref("ai_turns.first_at")} + ${param("latest")}`)
          .end(),
      })),
    ),
);

export const turnOf = statement<Key, AiTurnRow>((db, param) =>
  db
    .selectFrom("ai_turns")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

export const deleteTurn = statement<Key>((db, param) =>
  db
    .deleteFrom("ai_turns")
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

/** A turn that no process runs. */
export type DueTurn = Pick<AiTurnRow, "team_id" | "conversation_id" | "first_at" | "due_at" | "upto" | "attempts">;

/**
 * Due turns of all teams that no living process runs: at most `per_team` of each, its oldest, and at most `limit` of all; first
 * those that are the oldest of their teams.
 */
export const dueTurns = statement<{ now: number; steady_now: number; per_team: number; limit: number }, DueTurn>(
  (db, param) =>
    db
      .selectFrom((ranked) =>
        ranked
          .selectFrom("ai_turns")
          .select(["team_id", "conversation_id", "first_at", "due_at", "upto", "attempts"])
          .select(sql<number>`row_number() over (partition by team_id order by due_at)`.as("place"))
          .where("due_at", "<=", param("now"))
          .where((row) => row.or([row("claim", "is", null), row("lease_until", "<=", param("steady_now"))]))
          .as("ranked"),
      )
      .select(["team_id", "conversation_id", "first_at", "due_at", "upto", "attempts"])
      .where("place", "<=", param("per_team"))
      .orderBy("place")
      .orderBy("due_at")
      .limit(param("limit")),
);

/** Claims a turn that is as it was seen; another process may have been faster. */
export const claimTurn = statement<
  Key & Pick<AiTurnRow, "attempts" | "claim" | "lease_until"> & { steady_now: number }
>((db, param) =>
  db
    .updateTable("ai_turns")
    .set((row) => ({
      claim: param("claim"),
      lease_until: param("lease_until"),
      attempts: row("attempts", "+", 1),
    }))
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("attempts", "=", param("attempts"))
    .where((row) => row.or([row("claim", "is", null), row("lease_until", "<=", param("steady_now"))])),
);

/** Extends the lease of a claim; none for one that another process has taken over. */
export const renewTurn = statement<Key & Pick<AiTurnRow, "claim" | "lease_until">>((db, param) =>
  db
    .updateTable("ai_turns")
    .set({ lease_until: param("lease_until") })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("claim", "=", param("claim")),
);

/** A turn whose claim has ended without an end, or is taken away: it is due again. None where there is no turn. */
export const freeTurn = statement<Key & { attempts: number }>((db, param) =>
  db
    .updateTable("ai_turns")
    .set({ claim: null, lease_until: null, attempts: param("attempts") })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

/** Frees every claim: no other process is alive for certain. */
export const freeEveryTurn = statement<Record<never, never>>((db) =>
  db.updateTable("ai_turns").set({ claim: null, lease_until: null }).where("claim", "is not", null),
);

/** Makes every turn of the team due, those under way included: what runs them finds that it has lost them. */
export const freeEveryTurnOf = statement<Pick<AiTurnRow, "team_id" | "due_at">>((db, param) =>
  db
    .updateTable("ai_turns")
    .set({ claim: null, lease_until: null, due_at: param("due_at") })
    .where("team_id", "=", param("team_id")),
);

/** Open conversations in which the AI speaks, in no order. */
export const heldByAi = statement<Pick<AiTurnRow, "team_id"> & { limit: number }, Pick<ConversationRow, "id">>(
  (db, param) =>
    db
      .selectFrom("conversations")
      .select("id")
      .where("team_id", "=", param("team_id"))
      .where("inbox_list", "in", [sql.lit("with_ai"), sql.lit("snoozed")])
      .where("speaker", "=", sql.lit("ai" satisfies Speaker))
      .limit(param("limit")),
);

/** The sort number of the visitor's last message. */
export const lastVisitorMessage = statement<Key, { sort_number: number }>((db, param) =>
  db
    .selectFrom("messages")
    .select("sort_number")
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("type", "=", sql.lit("message" satisfies MessageType))
    .where("agent_id", "is", null)
    .orderBy("sort_number", "desc")
    .limit(1),
);

/** What a turn under way depends on. */
export const turnWithSpeaker = statement<
  Key,
  Pick<AiTurnRow, "claim" | "upto"> & Pick<ConversationRow, "speaker" | "is_resolved">
>((db, param) =>
  db
    .selectFrom("conversations")
    .innerJoin("ai_turns", (join) =>
      join
        .onRef("ai_turns.team_id", "=", "conversations.team_id")
        .onRef("ai_turns.conversation_id", "=", "conversations.id"),
    )
    .select(["ai_turns.claim", "ai_turns.upto", "conversations.speaker", "conversations.is_resolved"])
    .where("conversations.team_id", "=", param("team_id"))
    .where("conversations.id", "=", param("conversation_id")),
);
