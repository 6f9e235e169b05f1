import type { ColumnTypes, Migration } from "./migration.ts";

/** Replies that are sent some seconds later, unless they are undone (docs/decisions/0052-undo-send.md). */
export const heldReplies: Migration = {
  number: 28,
  name: "held-replies",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE held_replies (
    team_id ${id} NOT NULL,
    client_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    state ${text} NOT NULL,
    reply ${text},
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, client_id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents,
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations
  ) ${clustered}`,
  "CREATE INDEX held_replies_by_age ON held_replies (team_id, created_at) WHERE state <> 'held'",
];
