import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../operator-error.ts";

export const KEY_BYTES = 32;

/** The vault's key of this installation, and how the operator knows it. */
export interface KeyAtHand {
  key: Buffer;
  /** `SECRET_KEY`, or the path of the file. */
  place: string;
}

/**
 * The key that this installation would seal with: SECRET_KEY, else `DATA_DIR/secret.key`; undefined when there is
 * neither. Unlike `unlockVault` it makes no key and looks into no database.
 *
 * @throws OperatorError when the file is there and cannot be read, or holds no key
 */
export function keyAtHand(settings: { secretKey: Buffer | undefined; dataDir: string }): KeyAtHand | undefined {
  if (settings.secretKey) return { key: settings.secretKey, place: "SECRET_KEY" };
  const place = keyFile(settings.dataDir);
  let text: string;
  try {
    text = readFileSync(place, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new OperatorError(`${place} cannot be read: ${message}`, { cause: error });
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== KEY_BYTES)
    throw new OperatorError(`${place} is damaged: it must hold 32 bytes as base64. Restore it from a backup.`);
  return { key, place };
}

/** Where a key that is not in SECRET_KEY is kept. */
export const keyFile = (dataDir: string): string => join(dataDir, "secret.key");

/**
 * Keeps a key in `DATA_DIR/secret.key`: whole and on the disk before it has its name. A link never replaces a file: of
 * two processes that start at once one keeps its key, and the other is told `false` and uses that one.
 *
 * @throws OperatorError when it cannot be written
 */
export function keepKey(dataDir: string, key: Buffer): boolean {
  const file = keyFile(dataDir);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeSync(descriptor, `${key.toString("base64")}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    try {
      linkSync(draft, file);
      return true;
    } finally {
      unlinkSync(draft);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
