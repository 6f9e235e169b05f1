import type { Migration } from "./migration.ts";

/** What a widget's owner has set: JSON, null while nothing was. */
export const widgetSettings: Migration = {
  number: 9,
  name: "widget-settings",
  breaking: false,
  statements: ({ text }) => [`ALTER TABLE widgets ADD COLUMN settings ${text}`],
};
