import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { installationValue, keepInstallationValue } from "../setup/installation-store.ts";
import type { Storage } from "../storage/database.ts";
import { openVault, type Vault } from "./vault.ts";

const KEY_BYTES = 32;
const FINGERPRINT = "vault_fingerprint";

/**
 * Opens the vault with the key of this installation: SECRET_KEY, else `DATA_DIR/secret.key`, which is made at first use.
 *
 * @throws OperatorError when the key is missing, damaged, or not the one that the data was sealed with
 */
export async function unlockVault(
  settings: { secretKey: Buffer | undefined; dataDir: string },
  storage: Storage,
): Promise<Vault> {
  const file = join(settings.dataDir, "secret.key");
  let key = settings.secretKey ?? readKeyFile(file);
  if (!key) {
    // A new key beside sealed data would only hide that the right one is missing.
    if (await sealedWith(storage)) throw wrongKey("The key of the sealed data is missing");
    key = makeKeyFile(settings.dataDir, file);
  }
  const vault = openVault(key);
  await checkVault(storage, vault);
  return vault;
}

/**
 * Remembers at first use which key the data is sealed with, and refuses any other from then on.
 *
 * @throws OperatorError when the vault is not the one of the data
 */
export async function checkVault(storage: Storage, vault: Vault): Promise<void> {
  const known = (await sealedWith(storage)) ?? (await remember(storage, vault.fingerprint));
  if (known !== vault.fingerprint) throw wrongKey("The database was sealed with another key");
}

function wrongKey(what: string): OperatorError {
  return new OperatorError(
    `${what}: restore DATA_DIR/secret.key, or set SECRET_KEY to its content (the same in every process).`,
  );
}

async function sealedWith(storage: Storage): Promise<string | undefined> {
  return (await storage.read((db) => db.first(installationValue, { name: FINGERPRINT })))?.value;
}

/** The fingerprint that is kept: ours, or that of a process that came first. */
async function remember(storage: Storage, fingerprint: string): Promise<string | undefined> {
  return storage.write(null, async (db) => {
    await db.run(keepInstallationValue, { name: FINGERPRINT, value: fingerprint });
    return (await db.first(installationValue, { name: FINGERPRINT }))?.value;
  });
}

function readKeyFile(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === KEY_BYTES) return key;
  throw new OperatorError(`${file} is damaged: it must hold 32 bytes as base64. Restore it from a backup.`);
}

/**
 * Makes the key, complete and on the disk before it has its name. A link never replaces a file: of two processes that
 * start at once one makes the key and both use it.
 */
function makeKeyFile(folder: string, file: string): Buffer {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeSync(descriptor, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      unlinkSync(draft);
    }
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  const key = readKeyFile(file);
  if (!key) throw new OperatorError(`${file} is gone again right after it was written.`);
  return key;
}
