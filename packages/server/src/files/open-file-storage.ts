import type { Settings } from "../config.ts";
import { diskFiles } from "./disk-files.ts";
import type { FileStorage } from "./file-storage.ts";
import { s3Files } from "./s3-files.ts";

/** The storage that the operator has chosen: a bucket when one is set, else DATA_DIR. Nothing is accessed yet. */
export function openFileStorage({ s3, dataDir }: Pick<Settings, "s3" | "dataDir">): FileStorage {
  return s3 ? s3Files(s3) : diskFiles(dataDir);
}
