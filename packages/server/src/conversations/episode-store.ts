import type { Episode, OpenedBy } from "@frontdesk/core/domain/episode";
import { columnNames } from "../storage/columns.ts";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { EpisodeRow } from "../storage/tables.ts";

/** The last two episodes of a conversation, the newest first: no event changes an older one. */
export const lastEpisodes = statement<Pick<EpisodeRow, "team_id" | "conversation_id">, EpisodeRow>((db, param) =>
  db
    .selectFrom("episodes")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .orderBy("number", "desc")
    .limit(2),
);

export const insertEpisode = statement<EpisodeRow>((db, param) =>
  db.insertInto("episodes").values(wholeRow(param, "episodes")),
);

const keyColumns = ["team_id", "conversation_id", "number"] as const;
/** How it began is known when it is stored. */
const fixedColumns: readonly string[] = [...keyColumns, "opened_at", "opened_by", "opened_by_id"];
type ChangingColumn = Exclude<keyof EpisodeRow, "opened_at" | "opened_by" | "opened_by_id">;

export const updateEpisode = statement<Pick<EpisodeRow, ChangingColumn>>((db, param) =>
  db
    .updateTable("episodes")
    .set(every(param, columnNames("episodes").filter((column) => !fixedColumns.includes(column)) as ChangingColumn[]))
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("number", "=", param("number")),
);

export function episodeOf(row: EpisodeRow): Episode {
  return {
    number: row.number,
    openedAt: row.opened_at,
    openedBy: row.opened_by as OpenedBy | null,
    openedById: row.opened_by_id,
    waitingSince: row.waiting_since,
    firstReplyAt: row.first_reply_at,
    firstReplyBy: row.first_reply_by,
    firstReplyMs: row.first_reply_ms,
    firstReplyOpenMs: row.first_reply_open_ms,
    replies: row.replies,
    assistantReplies: row.assistant_replies,
    lastReplyBy: row.last_reply_by,
    snoozedSince: row.snoozed_since,
    snoozedMs: row.snoozed_ms,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    resolutionMs: row.resolution_ms,
    resolutionOpenMs: row.resolution_open_ms,
    rating: row.rating,
    ratedAt: row.rated_at,
  };
}

export function episodeRow(of: Pick<EpisodeRow, "team_id" | "conversation_id">, episode: Episode): EpisodeRow {
  return {
    team_id: of.team_id,
    conversation_id: of.conversation_id,
    number: episode.number,
    opened_at: episode.openedAt,
    opened_by: episode.openedBy,
    opened_by_id: episode.openedById,
    waiting_since: episode.waitingSince,
    first_reply_at: episode.firstReplyAt,
    first_reply_by: episode.firstReplyBy,
    first_reply_ms: episode.firstReplyMs,
    first_reply_open_ms: episode.firstReplyOpenMs,
    replies: episode.replies,
    assistant_replies: episode.assistantReplies,
    last_reply_by: episode.lastReplyBy,
    snoozed_since: episode.snoozedSince,
    snoozed_ms: episode.snoozedMs,
    resolved_at: episode.resolvedAt,
    resolved_by: episode.resolvedBy,
    resolution_ms: episode.resolutionMs,
    resolution_open_ms: episode.resolutionOpenMs,
    rating: episode.rating,
    rated_at: episode.ratedAt,
  };
}
