import type { ColumnTypes, Migration } from "./migration.ts";

/** Who waits longest, the views of those that wait and of those that are answered, and how far each agent has read. */
export const triage: Migration = {
  number: 25,
  name: "triage",
  breaking: false,
  statements: (types) => statements(types),
};

/** `waitingRank` of `core/domain/inbox.ts`, with 9000-01-01 and 9900-01-01, the ends of its spans. */
const rank = (later: string) => `coalesce(
    waiting_since,
    CASE WHEN episode_replies + episode_assistant_replies > 0 THEN 221845392000000 ELSE 250246627200000 END
      - ${later}(last_message_at, coalesce(woken_at, 0)))`;

const statements = ({ engine, id, integer, clustered }: ColumnTypes): string[] => {
  const [kept, later] = engine === "postgres" ? ["STORED", "greatest"] : ["VIRTUAL", "max"];
  return [
    `ALTER TABLE conversations ADD COLUMN waiting_rank ${integer} GENERATED ALWAYS AS (${rank(later)}) ${kept}`,
    "CREATE INDEX conversations_by_waiting ON conversations (team_id, inbox_list, waiting_rank, id)",
    // The unread ones of a span are counted by it, and all that was found by it before.
    "DROP INDEX conversations_unread",
    `CREATE INDEX conversations_unread ON conversations (team_id, inbox_list, waiting_rank, id)
      WHERE unread_messages > 0`,
    `CREATE TABLE own_reads (
      team_id ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      conversation_id ${id} NOT NULL,
      read_number ${integer} NOT NULL,
      PRIMARY KEY (team_id, agent_id, conversation_id),
      FOREIGN KEY (team_id, agent_id) REFERENCES agents,
      FOREIGN KEY (team_id, conversation_id) REFERENCES conversations
    ) ${clustered}`,
  ];
};
