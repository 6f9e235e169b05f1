import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { asOutage, filesFolder } from "./drafts.ts";
import type { FileKey, FileStorage } from "./file-storage.ts";

/** Files in DATA_DIR, one folder a team. Names are made of ids alone. */
export function diskFiles(dataDir: string): FileStorage {
  const folder = filesFolder(dataDir);
  const folderOf = ({ teamId }: FileKey) => join(folder, teamId);
  const pathOf = (key: FileKey) => join(folderOf(key), key.id);

  return {
    name: `the folder ${folder}`,

    async put(key, draft) {
      try {
        const made = await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
        await rename(draft.path, pathOf(key));
        await onDisk(folderOf(key));
        if (made) await onDisk(folder);
      } catch (error) {
        throw asOutage(error);
      }
    },

    async read(key, range) {
      try {
        const handle = await open(pathOf(key), "r");
        return handle.createReadStream(range && { start: range.first, end: range.last });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw asOutage(error);
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true }).catch((error) => {
        throw asOutage(error);
      });
    },
  };
}

/** Waits until the names in a folder are on the disk. Windows cannot open a folder, and needs no sync. */
async function onDisk(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
