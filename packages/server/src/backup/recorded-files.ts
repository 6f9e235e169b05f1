import type { FileState } from "../files/file.ts";
import type { FileKey } from "../files/file-storage.ts";
import type { Database } from "../storage/database.ts";
import { productSchema } from "../storage/product-schema.ts";
import { appliedMigrations, readRows } from "../storage/table-rows.ts";

/** A file whose content a backup holds. */
export interface BackupFile extends FileKey {
  /** In bytes. */
  size: number;
}

/** A file that has a row in the database. */
export interface RecordedFile extends BackupFile {
  /** A message uses it. The others are left out: they would be deleted before they are requested. */
  isUsed: boolean;
}

/** Every file recorded in a snapshot; none where the data is from before there were files. */
export async function* recordedFiles(db: Database): AsyncGenerator<RecordedFile> {
  const schema = productSchema((await appliedMigrations(db)).map(({ number }) => number));
  const table = schema.tables.find(({ name }) => name === "files");
  if (!table) return;
  for await (const page of readRows(db, table)) {
    for (const row of page) {
      const valueIn = (column: string) => row[table.columns.indexOf(column)];
      yield {
        teamId: String(valueIn("team_id")),
        id: String(valueIn("id")),
        size: Number(valueIn("size")),
        isUsed: valueIn("state") === ("stored" satisfies FileState) && valueIn("used_at") !== null,
      };
    }
  }
}
