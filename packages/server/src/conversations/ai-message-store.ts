import { statement } from "../storage/statement.ts";
import type { AiMessageRow } from "../storage/tables.ts";

/** What is known of those of these messages that the AI has written. */
export const aiMessages = statement<{ team_id: string; message_ids: string }, AiMessageRow>((db, param, dialect) =>
  db
    .selectFrom("ai_messages")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);
