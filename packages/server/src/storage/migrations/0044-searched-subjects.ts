import type { ColumnTypes, Migration } from "./migration.ts";

/**
 * The subjects of mail conversations are searched (docs/decisions/0071-searched-subjects.md). Only the program can fold those of
 * before: a timer of each team that has some does it in pieces, while the program runs. And a mail that comes in finds the
 * replies that are held in its conversation (docs/decisions/0052-undo-send.md).
 */
export const searchedSubjects: Migration = {
  number: 44,
  name: "searched-subjects",
  // A program of before would leave a folded subject behind when it erases the subject.
  breaking: true,
  statements: (types) => statements(types),
};

const NEWEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const statements = ({ text }: ColumnTypes): string[] => [
  `ALTER TABLE conversations ADD COLUMN email_subject_folded ${text} NOT NULL DEFAULT ''`,
  // A team that still folds its contacts and messages comes to the subjects at the end.
  `INSERT INTO timers (team_id, kind, subject_id, due_at, armed_for, data, attempts)
    SELECT team_id, 'fold-search-texts', team_id, 0, 0, '{"of":"subjects","before":"${NEWEST}"}', 0 FROM teams
      WHERE EXISTS (
        SELECT 1 FROM conversations WHERE conversations.team_id = teams.team_id AND channel <> 'website'
          AND email_subject IS NOT NULL
      )
    ON CONFLICT DO NOTHING`,

  `ALTER TABLE drafts ADD COLUMN returned_by ${text}`,
  "CREATE INDEX held_replies_in_conversations ON held_replies (team_id, conversation_id) WHERE state = 'held'",
];
