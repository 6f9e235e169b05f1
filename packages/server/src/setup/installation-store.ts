import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";

interface Named {
  name: string;
}

interface Value extends Named {
  value: string;
}

export const installationValue = statement<Named, { value: string }>((db, param) =>
  db.selectFrom("installation").select("value").where("name", "=", param("name")),
);

/** Stores the value unless there is one already. */
export const keepInstallationValue = statement<Value>((db, param) =>
  db
    .insertInto("installation")
    .values(wholeRow(param, "installation"))
    .onConflict((conflict) => conflict.column("name").doNothing()),
);

/** Writes the value; on PostgreSQL its row stays locked until the end of the transaction. */
export const setInstallationValue = statement<Value>((db, param) =>
  db
    .insertInto("installation")
    .values(wholeRow(param, "installation"))
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: param("value") })),
);

export const deleteInstallationValue = statement<Named>((db, param) =>
  db.deleteFrom("installation").where("name", "=", param("name")),
);

/** Any team at all; undefined in fresh data. */
export const anyTeam = statement<Record<never, never>, { team_id: string }>((db) =>
  db.selectFrom("teams").select("team_id").limit(1),
);

/** Whether the database was ever migrated: false in an empty one. */
export const wasMigrated = statement<Record<never, never>, { migrated: number }>((db, _param, { engine }) =>
  db.selectNoFrom(
    engine === "sqlite"
      ? sql<number>`exists (select 1 from sqlite_master where name = 'schema_migrations')`.as("migrated")
      : sql<number>`(to_regclass('schema_migrations') is not null)::int`.as("migrated"),
  ),
);
