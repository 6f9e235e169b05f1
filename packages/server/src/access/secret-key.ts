import { randomBytes } from "node:crypto";
import { OperatorError } from "../operator-error.ts";
import { installationValue, keepInstallationValue } from "../setup/installation-store.ts";
import type { Storage } from "../storage/database.ts";
import { openVault, type Vault } from "./vault.ts";
import { findVaultKey, KEY_BYTES, type KeySettings, keepKey, keyFile } from "./vault-key-file.ts";

/** The name under which the installation stores the fingerprint of the key that its data is sealed with. */
export const VAULT_FINGERPRINT = "vault_fingerprint";

/**
 * Opens the vault with the key of this installation: SECRET_KEY, else `DATA_DIR/secret.key`, which is created at first use.
 *
 * @throws OperatorError when the key is missing, damaged, or not the one that the data was sealed with
 */
export async function unlockVault(settings: KeySettings, storage: Storage): Promise<Vault> {
  const found = findVaultKey(settings);
  const vault = openVault(found?.key ?? (await makeKey(settings.dataDir, storage)), found?.previous);
  await checkVault(storage, vault);
  return vault;
}

async function makeKey(dataDir: string, storage: Storage): Promise<Buffer> {
  if (await sealedWith(storage)) {
    // A process that starts at the same time may have created it since we looked.
    const made = findVaultKey({ secretKey: undefined, dataDir });
    if (made) return made.key;
    // With sealed data, a new key would only hide that the right one is missing.
    throw wrongKey("The encryption key of this data is missing");
  }
  keepKey(dataDir, randomBytes(KEY_BYTES));
  const kept = findVaultKey({ secretKey: undefined, dataDir });
  if (!kept) throw new OperatorError(`${keyFile(dataDir)} disappeared right after it was written.`);
  return kept.key;
}

/**
 * Stores at first use which key the data is sealed with, and refuses any other from then on.
 *
 * @throws OperatorError when the vault is not the one of the data
 */
export async function checkVault(storage: Storage, vault: Vault): Promise<void> {
  const known = (await sealedWith(storage)) ?? (await remember(storage, vault.fingerprint));
  // While a key is being changed, the data still has the previous one (access/reseal.ts).
  if (known !== vault.fingerprint && known !== vault.previousFingerprint)
    throw wrongKey("The database was encrypted with a different key");
}

function wrongKey(what: string): OperatorError {
  return new OperatorError(
    `${what}. Restore DATA_DIR/secret.key, or set SECRET_KEY to its contents (the same in every process).`,
  );
}

async function sealedWith(storage: Storage): Promise<string | undefined> {
  return (await storage.read((db) => db.first(installationValue, { name: VAULT_FINGERPRINT })))?.value;
}

/** The stored fingerprint: ours, or that of a process that was first. */
async function remember(storage: Storage, fingerprint: string): Promise<string | undefined> {
  return storage.write(null, async (db) => {
    await db.run(keepInstallationValue, { name: VAULT_FINGERPRINT, value: fingerprint });
    return (await db.first(installationValue, { name: VAULT_FINGERPRINT }))?.value;
  });
}
