import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The bytes of a SQLite database and its log, as text. Another process reads them: closing a file ends all locks that this
 * process has on it, and with them those of an open database.
 */
export function databaseBytes(dataDir: string): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith("frontdesk.db"));
  const paths = files.map((name) => join(dataDir, name));
  return execFileSync("cat", paths, { encoding: "latin1", maxBuffer: MOST_BYTES });
}
