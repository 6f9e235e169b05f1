import { statfs } from "node:fs/promises";

const MB = 1_048_576;
/** Space that stays free on the disk for what the team itself writes, and for the growth of the database while it works. */
export const DISK_RESERVE_BYTES = 200 * MB;

/** Free bytes on the disk of an existing folder. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Whether `bytes` fit on the disk of a folder in addition to the reserve. */
export async function fitsOnDisk(folder: string, bytes: number, free: FreeBytes = freeBytes): Promise<boolean> {
  return (await free(folder)) >= bytes + DISK_RESERVE_BYTES;
}
