import { join } from "node:path";
import { refuseOnceClosed } from "./closed-storage.ts";
import type { Storage } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens PostgreSQL when `databaseUrl` is set, else the embedded database in the data folder. */
export function openStorage(settings: { databaseUrl: string | undefined; dataDir: string }): Storage {
  return refuseOnceClosed(
    settings.databaseUrl ? openPostgres(settings.databaseUrl) : openSqlite(join(settings.dataDir, "frontdesk.db")),
  );
}
