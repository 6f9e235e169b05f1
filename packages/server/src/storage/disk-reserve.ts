import { statfs } from "node:fs/promises";

const MB = 1_048_576;
/** So much of the disk stays free for what the team itself writes, and for the database to grow while it works. */
export const DISK_RESERVE_BYTES = 200 * MB;

/** Free bytes for us on the disk of a folder that is there. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Whether `bytes` fit on the disk of a folder beside the reserve. */
export async function fitsOnDisk(folder: string, bytes: number, free: FreeBytes = freeBytes): Promise<boolean> {
  return (await free(folder)) >= bytes + DISK_RESERVE_BYTES;
}
