import type { ColumnTypes, Migration } from "./migration.ts";

/** A list of the inbox for conversations that the AI holds, and a timeline that says who speaks. */
export const conversationsWithAi: Migration = {
  number: 51,
  name: "conversations-with-ai",
  breaking: false,
  statements: (types) => statements(types),
};

/** The list of the inbox that a conversation stands in: exactly one, whatever changes it. */
const INBOX_LIST = `CASE
    WHEN is_resolved = 1 THEN 'resolved'
    WHEN snoozed_until IS NOT NULL OR snoozed_until_reply = 1 THEN 'snoozed'
    WHEN speaker = 'ai' THEN 'with_ai'
    WHEN assigned_count > 0 THEN 'assigned'
    ELSE 'unassigned' END`;

/** Those of the column: both engines make a generated one anew, since neither can change what it is generated from. */
const INDEXES = [
  "conversations_in_inbox",
  "conversations_unread",
  "conversations_handed_over",
  "conversations_by_waiting",
];

const statements = ({ engine, text }: ColumnTypes): string[] => [
  ...INDEXES.map((name) => `DROP INDEX ${name}`),
  "ALTER TABLE conversations DROP COLUMN inbox_list",
  `ALTER TABLE conversations ADD COLUMN inbox_list ${text}
    GENERATED ALWAYS AS (${INBOX_LIST}) ${engine === "postgres" ? "STORED" : "VIRTUAL"}`,
  `CREATE INDEX conversations_in_inbox ON conversations
    (team_id, inbox_list, active_at DESC, id DESC, channel, widget_id)`,
  `CREATE INDEX conversations_unread ON conversations (team_id, inbox_list, waiting_rank, id)
    WHERE unread_messages > 0`,
  `CREATE INDEX conversations_handed_over ON conversations (team_id, inbox_list, id)
    WHERE handoff_requested_at IS NOT NULL`,
  "CREATE INDEX conversations_by_waiting ON conversations (team_id, inbox_list, waiting_rank, id)",
  "DROP INDEX events_in_threads",
  // Messages, which are most of the log, are not in it. See `conversations/timeline.ts`.
  `CREATE INDEX events_in_threads ON events (team_id, conversation_id, number, name) WHERE name IN (
    'conversation.resolved', 'conversation.reopened', 'conversation.snoozed', 'conversation.unsnoozed',
    'handoff.requested', 'handoff.ended', 'speaker.changed', 'agent.assigned', 'agent.unassigned', 'tag.assigned',
    'tag.removed', 'system-line.added')`,
];
