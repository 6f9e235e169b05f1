import type { ColumnTypes, Migration } from "./migration.ts";

/** Whether the copilot has written a part of a reply; only the team sees it. */
export const draftedWithAi: Migration = {
  number: 50,
  name: "drafted-with-ai",
  breaking: false,
  statements: ({ flag }: ColumnTypes) => [`ALTER TABLE messages ADD COLUMN drafted_with_ai ${flag} NOT NULL DEFAULT 0`],
};
