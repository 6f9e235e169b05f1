import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Settings } from "../config.ts";
import type { Check } from "./check.ts";

const MB = 1_000_000;
/** Below this SQLite may soon fail to write. */
const DISK_PROBLEM_BYTES = 100 * MB;
const DISK_WARNING_BYTES = 1_000 * MB;
/** Rights of the group and of others. */
const OTHERS = 0o077;

/** DATA_DIR: it exists, is writable, and closed to other users of the machine. */
export function checkDataFolder({ dataDir, databaseUrl, secretKey }: Settings): Check {
  const name = "data folder";
  const found = statOf(dataDir);
  if (!found) {
    const unneeded = databaseUrl !== undefined && secretKey !== undefined;
    const says = unneeded
      ? `${dataDir} does not exist yet. The first file creates it. The data is in PostgreSQL, and the key in SECRET_KEY.`
      : `${dataDir} does not exist yet. The first start creates it.`;
    return { name, state: "note", says };
  }
  if (!found.isDirectory()) {
    return { name, state: "problem", says: `${dataDir} is not a folder.`, do: "Set DATA_DIR to a folder." };
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const says = `This user cannot write to ${dataDir}.`;
    return {
      name,
      state: "problem",
      says,
      do: `Make the user that runs Frontdesk the owner of the folder: chown -R USER ${dataDir}`,
    };
  }
  const open = [dataDir, ...["frontdesk.db", "secret.key"].map((file) => join(dataDir, file))].filter(
    (path) => ((statOf(path)?.mode ?? 0) & OTHERS) !== 0,
  );
  // Windows has no such rights, and shows them all as set.
  if (open.length > 0 && process.platform !== "win32") {
    const says = `Other users of this machine can access ${open.join(", ")}.`;
    return { name, state: "warning", says, do: `Restrict access to the owner: chmod go= ${open.join(" ")}` };
  }
  return { name, state: "ok", says: `${dataDir} is writable, and only its owner has access.` };
}

/** The free space where DATA_DIR is, or will be. */
export function checkDisk({ dataDir, databaseUrl }: Settings): Check {
  const name = "disk";
  let folder = dataDir;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  return judgeFreeSpace(name, bavail * bsize, folder, databaseUrl !== undefined);
}

/** The finding for this many free bytes. On PostgreSQL the data itself is elsewhere. */
export function judgeFreeSpace(name: string, free: number, folder: string, onPostgres: boolean): Check {
  const says = `${Math.floor(free / MB).toLocaleString("en")} MB free at ${folder}.`;
  const make = onPostgres
    ? "Free up space there. The database's own disk is not checked here."
    : "Free up space there, or move DATA_DIR to a larger disk. Without free space nothing can be saved.";
  if (free < DISK_PROBLEM_BYTES) return { name, state: onPostgres ? "warning" : "problem", says, do: make };
  if (free < DISK_WARNING_BYTES) return { name, state: "warning", says, do: make };
  return { name, state: "ok", says };
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
