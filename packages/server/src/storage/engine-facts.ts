import { sql } from "kysely";
import { statement } from "./statement.ts";

/** What the doctor reads from SQLite. */
export const sqliteFacts = statement<Record<never, never>, { version: string; journal: string }>((db) =>
  db.selectNoFrom([
    sql<string>`sqlite_version()`.as("version"),
    sql<string>`(select journal_mode from pragma_journal_mode)`.as("journal"),
  ]),
);

/** The first damage that SQLite finds in its file; `ok` without any. Reads the whole file. */
export const sqliteDamage = statement<Record<never, never>, { found: string }>((db) =>
  db
    .selectFrom(sql<{ found: string }>`(select quick_check as found from pragma_quick_check limit 1)`.as("damage"))
    .selectAll(),
);

export interface PostgresFacts {
  /** As the server reports it: `15.19 (Debian 15.19-0+deb12u1)`. */
  version: string;
  /** 150019 for 15.19. */
  version_number: number;
  encoding: string;
  /** The required extensions that the server could create, as a JSON array of names. */
  extensions: string;
  /** The server's clock, ms since the epoch. */
  now: number;
}

/** What the doctor reads from PostgreSQL. */
export const postgresFacts = statement<Record<never, never>, PostgresFacts>((db) =>
  db.selectNoFrom([
    sql<string>`current_setting('server_version')`.as("version"),
    sql<number>`current_setting('server_version_num')::int`.as("version_number"),
    sql<string>`current_setting('server_encoding')`.as("encoding"),
    sql<string>`(select coalesce(json_agg(name), '[]')::text from pg_available_extensions
      where name in ('pg_trgm', 'btree_gin'))`.as("extensions"),
    sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`.as("now"),
  ]),
);
