import { sql } from "kysely";
import { type WholeMessageRow, wholeColumns } from "../conversations/message-store.ts";
import { type TimelineEvent, timelineEvents } from "../conversations/timeline.ts";
import { statement } from "../storage/statement.ts";

interface OfConversation {
  team_id: string;
  conversation_id: string;
}

/** Messages of every type with sort numbers below `before`, newest first. */
export const threadBefore = statement<OfConversation & { before: number; limit: number }, WholeMessageRow>(
  (db, param) =>
    db
      .selectFrom("messages")
      .select(wholeColumns)
      .where("team_id", "=", param("team_id"))
      .where("conversation_id", "=", param("conversation_id"))
      .where("sort_number", "<", param("before"))
      .orderBy("sort_number", "desc")
      .limit(param("limit")),
);

/** The same with sort numbers above `after`, oldest first. */
export const threadAfter = statement<OfConversation & { after: number; limit: number }, WholeMessageRow>((db, param) =>
  db
    .selectFrom("messages")
    .select(wholeColumns)
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", ">", param("after"))
    .orderBy("sort_number")
    .limit(param("limit")),
);

/**
 * The timeline of a conversation, newest first. Their numbers first, from an index that has all the columns needed: otherwise
 * SQLite scans the team's log.
 */
export const timelineIn = statement<OfConversation & { limit: number }, TimelineEvent>((db, param) =>
  db
    .selectFrom("events")
    .select(["number", "name", "conversation_id", "data", "actor", "occurred_at"])
    .where("team_id", "=", param("team_id"))
    .where("number", "in", (query) =>
      query
        .selectFrom("events as listed")
        .select("listed.number")
        .where("listed.team_id", "=", param("team_id"))
        .where("listed.conversation_id", "=", param("conversation_id"))
        // As in the index.
        .where(sql<boolean>`listed.name IN (${sql.join(timelineEvents.map((name) => sql.lit(name)))})`)
        .orderBy("listed.number", "desc")
        .limit(param("limit")),
    )
    .orderBy("number", "desc"),
);

/** The first reply after sort number `after` that is not the agent's own; a reply by an assistant is never an agent's own. */
export const firstReplyOfOthers = statement<OfConversation & { after: number; agent_id: string }, WholeMessageRow>(
  (db, param) =>
    db
      .selectFrom("messages")
      .select(wholeColumns)
      .where("team_id", "=", param("team_id"))
      .where("conversation_id", "=", param("conversation_id"))
      .where("sort_number", ">", param("after"))
      .where("type", "=", sql.lit("message"))
      .where("agent_id", "is not", null)
      .where((row) => row.or([row("agent_id", "<>", param("agent_id")), row("sent_via", "=", sql.lit("assistant"))]))
      .orderBy("sort_number")
      .limit(1),
);
