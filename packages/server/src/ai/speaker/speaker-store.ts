import { statement } from "../../storage/statement.ts";
import type { ConversationRow } from "../../storage/tables.ts";

/** Who speaks, and what the AI has done in the episode. */
export const setSpeaker = statement<{ team_id: string; id: string } & Pick<ConversationRow, "speaker" | "ai_state">>(
  (db, param) =>
    db
      .updateTable("conversations")
      .set({ speaker: param("speaker"), ai_state: param("ai_state") })
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);
