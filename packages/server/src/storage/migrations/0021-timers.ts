import type { ColumnTypes, Migration } from "./migration.ts";

/** Timers, jobs in queues, and what led to a job (docs/decisions/0038-jobs-and-timers.md). */
export const timers: Migration = {
  number: 21,
  name: "timers",
  breaking: true,
  statements: (types) => statements(types),
};

const statements = ({ id, text, integer, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE timers (
    team_id ${id} NOT NULL,
    kind ${text} NOT NULL,
    subject_id ${id} NOT NULL,
    due_at ${integer} NOT NULL,
    armed_for ${integer} NOT NULL,
    data ${text},
    attempts ${integer} NOT NULL,
    last_error ${text},
    failed_at ${integer},
    PRIMARY KEY (team_id, kind, subject_id)
  ) ${clustered}`,
  // Both are for looks over all teams, which read what is due and nothing else.
  "CREATE INDEX timers_due ON timers (due_at, team_id) WHERE failed_at IS NULL",
  "CREATE INDEX timers_failed ON timers (failed_at, team_id) WHERE failed_at IS NOT NULL",

  `ALTER TABLE jobs ADD COLUMN queue_key ${text}`,
  `ALTER TABLE jobs ADD COLUMN queue_number ${integer}`,
  `ALTER TABLE jobs ADD COLUMN cause ${text}`,
  "DROP INDEX jobs_due",
  "CREATE INDEX jobs_due ON jobs (run_at, team_id) WHERE state IN ('waiting', 'running')",
  "CREATE INDEX jobs_of_team ON jobs (team_id, run_at, id) WHERE state IN ('waiting', 'running')",
  `CREATE INDEX jobs_in_queue ON jobs (team_id, queue_key, queue_number)
    WHERE queue_key IS NOT NULL AND state IN ('waiting', 'running')`,

  `INSERT INTO timers (team_id, kind, subject_id, due_at, armed_for, attempts)
    SELECT team_id, 'end-snooze', id, snoozed_until, snoozed_until, 0 FROM conversations WHERE snoozed_until IS NOT NULL`,
  // Where the job was given up nothing is planned: a mail about old replies would come out of the blue.
  `INSERT INTO timers (team_id, kind, subject_id, due_at, armed_for, attempts)
    SELECT team_id, 'mail-replies', id, mail_due_at, mail_due_at, 0 FROM conversations
      WHERE mail_due_at IS NOT NULL AND EXISTS (
        SELECT 1 FROM jobs WHERE jobs.team_id = conversations.team_id AND jobs.kind = 'mail-replies'
          AND jobs.state IN ('waiting', 'running') AND jobs.created_at <= conversations.mail_due_at
          AND jobs.run_at >= conversations.mail_due_at
      )`,
  "DELETE FROM jobs WHERE kind IN ('wake-conversation', 'mail-replies') AND state IN ('waiting', 'running')",
  "ALTER TABLE conversations DROP COLUMN mail_due_at",
];
