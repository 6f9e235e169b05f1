import type { FileState } from "../files/file.ts";
import type { FileKey } from "../files/file-storage.ts";
import type { Database } from "../storage/database.ts";
import { productSchema } from "../storage/product-schema.ts";
import { appliedMigrations, readRows } from "../storage/table-rows.ts";

/** A file whose content a backup holds. */
export interface HeldFile extends FileKey {
  /** In bytes. */
  size: number;
}

/** A file that the data tells of. */
export interface ToldFile extends HeldFile {
  /** A message holds it, so that it is worth keeping. The others would be gone before anybody asks for them. */
  kept: boolean;
}

/** Every file that a snapshot tells of; none where the data is from before there were files. */
export async function* toldFiles(db: Database): AsyncGenerator<ToldFile> {
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
        kept: valueIn("state") === ("stored" satisfies FileState) && valueIn("used_at") !== null,
      };
    }
  }
}
