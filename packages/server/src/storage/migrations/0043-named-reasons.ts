import type { ColumnTypes, Migration } from "./migration.ts";

/** Reasons of channel accounts, of recipients and of suppressed addresses by name, beside their sentences. */
export const namedReasons: Migration = {
  number: 43,
  name: "named-reasons",
  breaking: false,
  statements: (types) => statements(types),
};

// Rows of before have a sentence alone, which is shown as it is.
const statements = ({ text }: ColumnTypes): string[] => [
  `ALTER TABLE channel_accounts ADD COLUMN state_reason_named ${text}`,
  `ALTER TABLE mail_recipients ADD COLUMN reason_named ${text}`,
  `ALTER TABLE mail_suppressions ADD COLUMN reason_named ${text}`,
];
