import type { Migration } from "./migration.ts";

/**
 * What is searched is folded by another rule (docs/decisions/0045-what-a-search-finds.md). Only the program can fold, and a large
 * team takes minutes: a timer of each team does it in pieces, while the program runs.
 */
export const searchFolding: Migration = {
  number: 26,
  name: "search-folding",
  // A program of before would store texts that are not found, and that nothing folds again.
  breaking: true,
  statements: () => [
    `INSERT INTO timers (team_id, kind, subject_id, due_at, armed_for, attempts)
      SELECT team_id, 'fold-search-texts', team_id, 0, 0, 0 FROM teams`,
  ],
};
