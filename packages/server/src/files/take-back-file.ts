import type { Perform } from "../perform.ts";
import { dropUpload } from "./drop-upload.ts";
import type { FileKey, FileStorage } from "./file-storage.ts";

/** Removes a file that was placed and has become needless: its content, then its row. */
export async function takeBackFile(
  { fileStorage, perform }: { fileStorage: FileStorage; perform: Perform },
  file: FileKey,
): Promise<void> {
  await fileStorage.remove(file);
  await perform({ kind: "system", teamId: file.teamId }, dropUpload, { id: file.id });
}
