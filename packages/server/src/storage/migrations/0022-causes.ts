import type { ColumnTypes, Migration } from "./migration.ts";

/** Which automations led to an event. */
export const causes: Migration = {
  number: 22,
  name: "causes",
  breaking: false,
  statements: ({ text }: ColumnTypes) => [`ALTER TABLE events ADD COLUMN cause ${text}`],
};
