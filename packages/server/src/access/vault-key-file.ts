import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../operator-error.ts";

export const KEY_BYTES = 32;

/** The vault's key of this installation, and where it comes from. */
export interface VaultKey {
  key: Buffer;
  /** `SECRET_KEY`, or the path of the file. */
  source: string;
  /** The previous key, while there is one: `SECRET_KEY_PREVIOUS`, or `DATA_DIR/secret.key.previous`. */
  previous: Buffer | undefined;
}

/** The settings that the keys are found by. */
export interface KeySettings {
  secretKey: Buffer | undefined;
  previousSecretKey?: Buffer | undefined;
  dataDir: string;
}

/**
 * The key that this installation would seal with: SECRET_KEY, else `DATA_DIR/secret.key`; undefined when there is neither.
 * Unlike `unlockVault` it creates no key and reads no database.
 *
 * @throws OperatorError when the file is there and cannot be read, or holds no key
 */
export function findVaultKey({ secretKey, previousSecretKey, dataDir }: KeySettings): VaultKey | undefined {
  const previous = previousSecretKey ?? keyIn(previousKeyFile(dataDir));
  if (secretKey) return { key: secretKey, source: "SECRET_KEY", previous };
  const source = keyFile(dataDir);
  const key = keyIn(source);
  return key && { key, source, previous };
}

function keyIn(source: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(source, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new OperatorError(`Cannot read ${source}: ${message}`, { cause: error });
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== KEY_BYTES)
    throw new OperatorError(`${source} is damaged. It must contain 32 bytes in base64. Restore it from a copy.`);
  return key;
}

/** The file of a key that is not in SECRET_KEY. */
export const keyFile = (dataDir: string): string => join(dataDir, "secret.key");
/** The file of the previous key, while texts that it has sealed may be left. */
export const previousKeyFile = (dataDir: string): string => join(dataDir, "secret.key.previous");

/**
 * Stores a key in `DATA_DIR/secret.key`: complete and on the disk before it has its name. A link never replaces a file: of two
 * processes that start at once one stores its key, and the other gets `false` and uses that one.
 *
 * @throws OperatorError when it cannot be written
 */
export function keepKey(dataDir: string, key: Buffer): boolean {
  return keepIn(keyFile(dataDir), key);
}

/**
 * Writes a new key to `DATA_DIR/secret.key`, and moves the present one to `secret.key.previous`. At any point the key of the
 * data is in one of the two.
 *
 * @throws OperatorError when a file cannot be written
 */
export function replaceKey(dataDir: string, old: Buffer, fresh: Buffer): void {
  keepIn(previousKeyFile(dataDir), old);
  const file = keyFile(dataDir);
  const draft = `${file}.next`;
  written(file, () => {
    // Left behind by an interrupted attempt: nothing was sealed with it.
    rmSync(draft, { force: true });
    writeWhole(draft, fresh);
    renameSync(draft, file);
    syncFolder(dataDir);
  });
}

/** Returns false when there is a file of that name already. */
function keepIn(file: string, key: Buffer): boolean {
  const folder = dirname(file);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  return written(file, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(draft, key);
    try {
      linkSync(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      unlinkSync(draft);
      syncFolder(folder);
    }
  });
}

function writeWhole(file: string, key: Buffer): void {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    writeSync(descriptor, `${key.toString("base64")}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** So that the names survive a power cut as the contents do. Windows cannot do it, and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function written<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new OperatorError(`Cannot write ${file}: ${(error as Error).message}`, { cause: error });
  }
}
