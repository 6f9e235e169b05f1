import type { ColumnTypes, Migration } from "./migration.ts";

/** The built-in AI: settings of a team, who speaks in a conversation, turns that are due, the log of runs, and its messages. */
export const builtInAi: Migration = {
  number: 47,
  name: "built-in-ai",
  breaking: false,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, flag, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE ai_settings (
    team_id ${id} NOT NULL PRIMARY KEY,
    ai_id ${id} NOT NULL,
    agent_id ${id} NOT NULL,
    is_active ${flag} NOT NULL,
    name ${text} NOT NULL,
    base_url ${text},
    model ${text},
    embedding_model ${text},
    api_key_sealed ${text},
    api_key_last ${text},
    instructions ${text} NOT NULL,
    widgets ${text} NOT NULL,
    channels ${text} NOT NULL,
    answers_when ${text} NOT NULL,
    resolves ${flag} NOT NULL,
    resolve_after_minutes ${integer},
    tokens_a_day ${integer},
    tokens_a_month ${integer},
    redacts ${flag} NOT NULL,
    keeps_runs ${flag} NOT NULL,
    breaker ${text},
    warned_on ${text},
    updated_at ${integer} NOT NULL,
    FOREIGN KEY (team_id) REFERENCES teams (team_id),
    FOREIGN KEY (team_id, agent_id) REFERENCES agents (team_id, id)
  ) ${clustered}`,

  // Tokens that were spent on a day, in UTC, and those of calls under way.
  `CREATE TABLE ai_usage (
    team_id ${id} NOT NULL,
    day ${text} NOT NULL,
    tokens ${integer} NOT NULL,
    reservations ${text} NOT NULL,
    PRIMARY KEY (team_id, day),
    FOREIGN KEY (team_id) REFERENCES teams (team_id)
  ) ${clustered}`,
  `CREATE TABLE ai_contact_usage (
    team_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    day ${text} NOT NULL,
    answers ${integer} NOT NULL,
    PRIMARY KEY (team_id, contact_id, day),
    FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
  ) ${clustered}`,

  `CREATE TABLE ai_turns (
    team_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    first_at ${integer} NOT NULL,
    due_at ${integer} NOT NULL,
    upto ${integer} NOT NULL,
    claim ${id},
    lease_until ${integer},
    attempts ${integer} NOT NULL,
    PRIMARY KEY (team_id, conversation_id),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX ai_turns_due ON ai_turns (due_at)",

  `CREATE TABLE ai_runs (
    team_id ${id} NOT NULL,
    id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    contact_id ${id} NOT NULL,
    episode ${integer} NOT NULL,
    message_id ${id},
    outcome ${text} NOT NULL,
    reason ${text},
    sources ${text} NOT NULL,
    details_sealed ${text},
    tokens_in ${integer} NOT NULL,
    tokens_out ${integer} NOT NULL,
    milliseconds ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    PRIMARY KEY (team_id, id),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX ai_runs_of_conversation ON ai_runs (team_id, conversation_id, created_at)",
  "CREATE INDEX ai_runs_by_age ON ai_runs (team_id, created_at)",

  // What is known of a message of the AI besides its text.
  `CREATE TABLE ai_messages (
    team_id ${id} NOT NULL,
    message_id ${id} NOT NULL,
    conversation_id ${id} NOT NULL,
    run_id ${id},
    kind ${text} NOT NULL,
    sources ${text} NOT NULL,
    PRIMARY KEY (team_id, message_id),
    FOREIGN KEY (team_id, conversation_id) REFERENCES conversations (team_id, id)
  ) ${clustered}`,
  "CREATE INDEX ai_messages_of_conversation ON ai_messages (team_id, conversation_id)",

  `ALTER TABLE conversations ADD COLUMN speaker ${text} NOT NULL DEFAULT 'human'`,
  `ALTER TABLE conversations ADD COLUMN ai_state ${text}`,
  `ALTER TABLE articles ADD COLUMN source ${text} NOT NULL DEFAULT 'written'`,
  `ALTER TABLE articles ADD COLUMN address ${text}`,
];
