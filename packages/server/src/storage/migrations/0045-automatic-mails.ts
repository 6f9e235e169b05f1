import type { Migration } from "./migration.ts";

/** Automatic mails that answer no conversation, by the age of their messages, to be listed. */
export const automaticMails: Migration = {
  number: 45,
  name: "automatic-mails",
  breaking: false,
  statements: () => [
    "CREATE INDEX mail_imports_automatic ON mail_imports (team_id, message_id) WHERE state = 'automatic'",
  ],
};
