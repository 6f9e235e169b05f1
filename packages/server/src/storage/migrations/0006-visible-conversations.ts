import type { Migration } from "./migration.ts";

/**
 * The order of conversations tells which are visible: what an assistant may not see is passed over within the index,
 * without looking at the rows (docs/decisions/0018-assistants-read-conversations.md).
 */
export const visibleConversations: Migration = {
  number: 6,
  name: "visible-conversations",
  breaking: false,
  statements: () => [
    "DROP INDEX conversations_in_order",
    `CREATE INDEX conversations_in_order ON conversations
      (team_id, is_resolved, last_message_at DESC, id DESC, channel, widget_id)`,
  ],
};
