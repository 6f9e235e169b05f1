import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { MentionRow } from "../storage/tables.ts";

export const insertMention = statement<MentionRow>((db, param) =>
  db.insertInto("mentions").values(wholeRow(param, "mentions")),
);

/** The agents named by the notes of several conversations, in the order of the notes. */
export const mentionsIn = statement<
  { team_id: string; conversation_ids: string },
  Pick<MentionRow, "conversation_id" | "sort_number" | "agent_id">
>((db, param, dialect) =>
  db
    .selectFrom("mentions")
    .select(["conversation_id", "sort_number", "agent_id"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("conversation_id"), param("conversation_ids")))
    .orderBy("sort_number")
    .orderBy("agent_id"),
);

/** Marks the mentions of an agent in a conversation as read, up to a sort number. */
export const readMentions = statement<{
  team_id: string;
  agent_id: string;
  conversation_id: string;
  up_to: number;
}>((db, param) =>
  db
    .updateTable("mentions")
    .set({ is_read: 1 })
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("is_read", "=", sql.lit(0))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", "<=", param("up_to")),
);
