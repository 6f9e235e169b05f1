/** Shared by tests of backups: making one, and reading all rows without the backup's own code. */
import { join } from "node:path";
import { restoreBackup } from "@frontdesk/server/backup/restore-backup";
import { type WrittenBackup, writeBackup } from "@frontdesk/server/backup/write-backup";
import { diskFiles } from "@frontdesk/server/files/disk-files";
import { createDrafts } from "@frontdesk/server/files/drafts";
import type { FileStorage } from "@frontdesk/server/files/file-storage";
import { silent } from "@frontdesk/server/progress";
import type { Database, Storage } from "@frontdesk/server/storage/database";
import { sqlText } from "./second-app.ts";

/** Writes a backup of a snapshot. */
export function backUp(db: Database, file: string, key?: Buffer, files?: FileStorage): Promise<WrittenBackup> {
  return writeBackup(db, { file, replace: false, key, files, now: Date.now(), total: 0, progress: silent });
}

/** Restores into the data of `dataDir`, whose key is `secretKey`. */
export function restoreInto(
  storage: Storage,
  file: string,
  {
    secretKey,
    dataDir = join("/nowhere"),
    replace = false,
  }: { secretKey?: Buffer; dataDir?: string; replace?: boolean },
) {
  const [fileStorage, drafts] = [diskFiles(dataDir), createDrafts(dataDir)];
  return restoreBackup(storage, { file, replace, secretKey, dataDir, fileStorage, drafts, progress: silent });
}

/**
 * Every row of every table by table name, rows as sorted text: the same for both engines. SQLite's search index and its row
 * numbers are left out.
 */
export async function everyRow(db: Database): Promise<Record<string, string[]>> {
  const names =
    db.engine === "sqlite"
      ? "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
  const tables: Record<string, string[]> = {};
  for (const { name } of (await db.all(sqlText(names), {})).toSorted(byName)) {
    const rows = await db.all(sqlText(`SELECT * FROM ${name}`), {});
    tables[String(name)] = rows
      .map(({ row_key: _own, ...row }) =>
        JSON.stringify(Object.entries(row).toSorted(([one], [two]) => (one < two ? -1 : 1))),
      )
      .toSorted();
  }
  return tables;
}

const byName = (one: Record<string, unknown>, two: Record<string, unknown>) =>
  String(one.name) < String(two.name) ? -1 : 1;
