import type { ColumnTypes, Migration } from "./migration.ts";

/** When pages have loaded a widget, and what has happened in a conversation between its messages. */
export const widgetSeen: Migration = {
  number: 16,
  name: "widget-seen",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ text, integer }: ColumnTypes): string[] => [
  `ALTER TABLE widgets ADD COLUMN first_seen_at ${integer}`,
  `ALTER TABLE widgets ADD COLUMN last_seen_at ${integer}`,
  `ALTER TABLE widgets ADD COLUMN seen_on ${text}`,
  // Messages, which are most of the log, are not in it. See `conversations/timeline.ts`.
  `CREATE INDEX events_in_threads ON events (team_id, conversation_id, number, name) WHERE name IN (
    'conversation.resolved', 'conversation.reopened', 'conversation.snoozed', 'conversation.unsnoozed',
    'handoff.requested', 'handoff.ended', 'agent.assigned', 'agent.unassigned', 'tag.assigned', 'tag.removed',
    'system-line.added')`,
];
