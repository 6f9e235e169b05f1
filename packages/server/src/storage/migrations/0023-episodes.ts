import type { ColumnTypes, Migration } from "./migration.ts";

/** The episodes of conversations (`core/domain/episode.ts`), and what of an event is measured but shown in no payload. */
export const episodes: Migration = {
  number: 23,
  name: "episodes",
  breaking: true,
  statements: (types) => [...tables(types), ...ofBefore],
};

const tables = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `ALTER TABLE events ADD COLUMN internal ${text}`,
  `ALTER TABLE conversations ADD COLUMN episode ${integer} NOT NULL DEFAULT 1`,
  `ALTER TABLE conversations ADD COLUMN waiting_since ${integer}`,
  `ALTER TABLE conversations ADD COLUMN first_reply_at ${integer}`,
  `ALTER TABLE conversations ADD COLUMN episode_replies ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN episode_assistant_replies ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN last_reply_by ${id}`,
  `CREATE TABLE episodes (
    team_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    number ${integer} NOT NULL,
    opened_at ${integer} NOT NULL,
    opened_by ${text},
    opened_by_id ${id},
    waiting_since ${integer},
    first_reply_at ${integer},
    first_reply_by ${id},
    first_reply_ms ${integer},
    first_reply_open_ms ${integer},
    replies ${integer} NOT NULL,
    assistant_replies ${integer} NOT NULL,
    last_reply_by ${id},
    snoozed_since ${integer},
    snoozed_ms ${integer} NOT NULL,
    resolved_at ${integer},
    resolved_by ${text},
    resolution_ms ${integer},
    resolution_open_ms ${integer},
    rating ${integer},
    rated_at ${integer},
    PRIMARY KEY (team_id, conversation_id, number),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations
  ) ${clustered}`,
];

const OPENED_AT = "coalesce(conversations.reopened_at, conversations.created_at)";
const HUMAN = "reply.sent_via IN ('dashboard', 'api')";
const ANYBODY = "reply.sent_via IN ('dashboard', 'api', 'assistant')";

/** The replies of the conversation's present or last open stretch. */
const replies = (columns: string, condition: string) => `SELECT ${columns} FROM messages AS reply
    WHERE reply.team_id = conversations.team_id AND reply.conversation_id = conversations.id
      AND reply.type = 'message' AND reply.agent_id IS NOT NULL AND ${condition}
      AND reply.created_at >= ${OPENED_AT}
      AND (conversations.resolved_at IS NULL OR reply.created_at <= conversations.resolved_at)`;

/**
 * Every conversation of before gets one episode, of its present or last open stretch, with what is known of it. How long a first reply
 * took is not: then it is null, and the reply is kept so that a later one is not taken for the first.
 */
const ofBefore = [
  `UPDATE conversations SET waiting_since = coalesce(
    (SELECT min(asked.created_at) FROM messages AS asked
      WHERE asked.team_id = conversations.team_id AND asked.conversation_id = conversations.id
        AND asked.type = 'message' AND asked.agent_id IS NULL AND asked.created_at >= ${OPENED_AT}
        AND asked.sort_number > coalesce((${replies("max(reply.sort_number)", ANYBODY)}), 0)),
    CASE WHEN NOT EXISTS (${replies("1", `${ANYBODY} AND reply.created_at >= conversations.handoff_requested_at`)})
      THEN conversations.handoff_requested_at END)
    WHERE is_resolved = 0`,
  `INSERT INTO episodes (team_id, conversation_id, number, opened_at, opened_by, opened_by_id, waiting_since,
      first_reply_at, first_reply_by, replies, assistant_replies, last_reply_by, snoozed_since, snoozed_ms,
      resolved_at, resolved_by, resolution_ms, rating, rated_at)
    SELECT team_id, id, 1, ${OPENED_AT},
      CASE WHEN reopened_at IS NULL THEN 'visitor' END,
      CASE WHEN reopened_at IS NULL THEN contact_id END,
      waiting_since,
      (${replies("min(reply.created_at)", HUMAN)}),
      (${replies("reply.agent_id", HUMAN)} ORDER BY reply.sort_number LIMIT 1),
      (${replies("count(*)", HUMAN)}),
      (${replies("count(*)", "reply.sent_via = 'assistant'")}),
      (${replies("reply.agent_id", HUMAN)} ORDER BY reply.sort_number DESC LIMIT 1),
      CASE WHEN snoozed_until IS NOT NULL OR snoozed_until_reply = 1 THEN
        (SELECT max(put_off.occurred_at) FROM events AS put_off
          WHERE put_off.team_id = conversations.team_id AND put_off.conversation_id = conversations.id
            AND put_off.name = 'conversation.snoozed') END,
      0,
      resolved_at, resolved_by,
      CASE WHEN resolved_at > ${OPENED_AT} THEN resolved_at - ${OPENED_AT} WHEN resolved_at IS NOT NULL THEN 0 END,
      CASE WHEN rated_at >= ${OPENED_AT} AND resolved_at IS NOT NULL THEN rating END,
      CASE WHEN rated_at >= ${OPENED_AT} AND resolved_at IS NOT NULL THEN rated_at END
    FROM conversations`,
  `UPDATE conversations SET first_reply_at = episodes.first_reply_at, episode_replies = episodes.replies,
      episode_assistant_replies = episodes.assistant_replies, last_reply_by = episodes.last_reply_by
    FROM episodes
    WHERE episodes.team_id = conversations.team_id AND episodes.conversation_id = conversations.id`,
];
