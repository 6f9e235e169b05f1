import type { Migration } from "./migration.ts";

/** Mails whose import has failed, by their age: retention takes the oldest. */
export const failedMails: Migration = {
  number: 36,
  name: "failed-mails",
  breaking: false,
  statements: () => [
    "CREATE INDEX mail_imports_failed ON mail_imports (team_id, account_id, taken_at) WHERE state = 'failed'",
  ],
};
