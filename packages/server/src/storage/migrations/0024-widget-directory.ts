import type { ColumnTypes, Migration } from "./migration.ts";

/** The directory of widgets: which team a widget belongs to. A visitor names the widget and nothing else. */
export const widgetDirectory: Migration = {
  number: 24,
  name: "widget-directory",
  // A program that does not know the directory would create widgets that are not in it.
  breaking: true,
  statements: (types) => statements(types),
};

const statements = ({ id, clustered }: ColumnTypes): string[] => [
  `CREATE TABLE widget_directory (
    widget_id ${id} NOT NULL PRIMARY KEY,
    team_id ${id} NOT NULL
  ) ${clustered}`,
  "INSERT INTO widget_directory (widget_id, team_id) SELECT id, team_id FROM widgets",
  // It was unique over all teams, which no index of a table spread by team can be.
  "DROP INDEX widgets_by_id",
];
