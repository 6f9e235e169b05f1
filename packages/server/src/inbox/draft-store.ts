import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { DraftRow } from "../storage/tables.ts";

interface OfAgent {
  team_id: string;
  agent_id: string;
}

/** Replaces the agent's draft of this mode, if there is one. */
export const putDraft = statement<DraftRow>((db, param) =>
  db
    .insertInto("drafts")
    .values(wholeRow(param, "drafts"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "agent_id", "conversation_id", "mode"]).doUpdateSet({
        content: sql.ref("excluded.content"),
        updated_at: sql.ref("excluded.updated_at"),
        returned_by: sql.ref("excluded.returned_by"),
      }),
    ),
);

export const deleteDraft = statement<OfAgent & { conversation_id: string; mode: string }>((db, param) =>
  db
    .deleteFrom("drafts")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("mode", "=", param("mode")),
);

/** The drafts of an agent in a conversation: at most one of each mode. */
export const draftsOfAgentIn = statement<OfAgent & { conversation_id: string }, DraftRow>((db, param) =>
  db
    .selectFrom("drafts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

/** The drafts of an agent, latest first. */
export const draftsOfAgent = statement<OfAgent & { limit: number }, DraftRow>((db, param) =>
  db
    .selectFrom("drafts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .orderBy("updated_at", "desc")
    .orderBy("conversation_id")
    .orderBy("mode")
    .limit(param("limit")),
);

/** The drafts of all agents in a conversation, latest first. */
export const draftsInConversation = statement<{ team_id: string; conversation_id: string }, DraftRow>((db, param) =>
  db
    .selectFrom("drafts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .orderBy("updated_at", "desc")
    .orderBy("agent_id")
    .orderBy("mode"),
);
