import { every, statement, wholeRow } from "../storage/statement.ts";
import type { CannedReplyRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

/** The team's canned replies, and those of one agent. */
export const cannedRepliesFor = statement<OfTeam & { agent_id: string }, CannedReplyRow>((db, param) =>
  db
    .selectFrom("canned_replies")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where((row) => row.or([row("agent_id", "is", null), row("agent_id", "=", param("agent_id"))])),
);

export const insertCannedReply = statement<CannedReplyRow>((db, param) =>
  db.insertInto("canned_replies").values(wholeRow(param, "canned_replies")),
);

export const updateCannedReply = statement<
  Pick<CannedReplyRow, "team_id" | "id" | "name" | "name_folded" | "content" | "updated_at">
>((db, param) =>
  db
    .updateTable("canned_replies")
    .set(every(param, ["name", "name_folded", "content", "updated_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const deleteCannedReply = statement<OfTeam & { id: string }>((db, param) =>
  db.deleteFrom("canned_replies").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);
