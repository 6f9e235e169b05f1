import type { ColumnTypes, Migration } from "./migration.ts";

/** How the conversations that the built-in AI held ended. Its runs go after 30 days; these figures stay. */
export const aiEpisodes: Migration = {
  number: 52,
  name: "ai-episodes",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  // No foreign key: the figures outlive an erased conversation.
  `CREATE TABLE ai_episodes (
    team_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    number ${integer} NOT NULL,
    day ${text} NOT NULL,
    begun_at ${integer} NOT NULL,
    outcome ${text} NOT NULL,
    reason ${text},
    ended_at ${integer},
    last_word ${text} NOT NULL,
    last_at ${integer} NOT NULL,
    answers ${integer} NOT NULL,
    answer_ms ${integer},
    tokens_in ${integer} NOT NULL,
    tokens_out ${integer} NOT NULL,
    PRIMARY KEY (team_id, conversation_id, number)
  ) ${clustered}`,
  // In the order in which they are counted, with all that is summed up: neither rows nor a sort.
  `CREATE INDEX ai_episodes_counted ON ai_episodes
    (team_id, day, outcome, reason, begun_at, last_word, last_at, answers, tokens_in, tokens_out)`,
  "CREATE INDEX ai_episodes_by_answer ON ai_episodes (team_id, day, answer_ms, begun_at)",
];
