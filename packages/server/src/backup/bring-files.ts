import { Readable } from "node:stream";
import type { Drafts } from "../files/drafts.ts";
import type { FileKey, FileStorage } from "../files/file-storage.ts";
import { type BackupItem, readBackup } from "./read-backup.ts";

/**
 * Stores the content of all files of a backup in the file storage. They cannot be requested before their rows exist, and a
 * repeat has the same result.
 *
 * @param onBrought called after each file
 */
export async function bringFiles(
  file: string,
  { fileStorage, drafts }: { fileStorage: FileStorage; drafts: Drafts },
  onBrought: (key: FileKey) => void,
): Promise<void> {
  const items = readBackup(file);
  let next = await items.next();
  while (!next.done) {
    if (next.value.kind !== "file") {
      next = await items.next();
      continue;
    }
    const { teamId, id, size } = next.value.file;
    const draft = await drafts.receive(id, Readable.from(pieces(), { objectMode: true }), size);
    await fileStorage.put({ teamId, id }, draft);
    onBrought({ teamId, id });
  }

  /** The pieces of the file that has just begun. */
  async function* pieces(): AsyncGenerator<Buffer> {
    for (next = await items.next(); isPiece(next); next = await items.next()) yield next.value.bytes;
  }
}

function isPiece(
  next: IteratorResult<BackupItem>,
): next is IteratorYieldResult<Extract<BackupItem, { kind: "piece" }>> {
  return !next.done && next.value.kind === "piece";
}
