import { randomBytes } from "node:crypto";
import { resealAll } from "../access/reseal.ts";
import { findVaultKey, KEY_BYTES, keyFile, previousKeyFile, replaceKey } from "../access/vault-key-file.ts";
import type { Settings } from "../config.ts";
import { OperatorError } from "../operator-error.ts";
import { defineCommand } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/**
 * `frontdesk secret-key rotate`: changes the key that seals secrets (docs/decisions/0034-changing-the-sealing-key.md).
 *
 * ```
 * one key --(rotate: makes a new one)--> both known --(the servers restart; rotate: seals again)--> the old one opens nothing
 *   ^                                                                                                        |
 *   '---------------------------------- the operator takes it away -----------------------------------------'
 * ```
 * It may be ended at any point, and run again: each sealed text names the key that opens it.
 */
export const secretKeyRotate = defineCommand({
  name: "secret-key rotate",
  summary: "Rotates the encryption key: creates a new one, and after a restart re-encrypts everything.",
  options: {},
  async run(_values, { settings, print }) {
    const found = await withStorage(settings, async () => findVaultKey(settings));
    if (!found) throw new OperatorError("There is no key yet. The first start creates it.");
    if (!found.previous || found.previous.equals(found.key)) {
      print(begin(settings, found.key));
      return;
    }
    const resealed = await withStorage(settings, ({ storage, runtime }) => resealAll(storage, runtime.vault));
    const away = settings.previousSecretKey ? "SECRET_KEY_PREVIOUS" : previousKeyFile(settings.dataDir);
    print({
      json: { step: "resealed", resealed, previous: away },
      text: `Re-encrypted ${resealed} values with ${found.source}.
${away} is no longer used. Remove it, and store it with the backups created before the rotation: they need it.
Then restart the servers.`,
    });
  },
});

function begin(settings: Settings, old: Buffer) {
  if (settings.secretKey) {
    throw new OperatorError(`Set SECRET_KEY_PREVIOUS to the current value of SECRET_KEY, and SECRET_KEY to a new key (openssl rand -base64 32).
Restart every server with both, then run this command again with both.`);
  }
  replaceKey(settings.dataDir, old, randomBytes(KEY_BYTES));
  const [file, previous] = [keyFile(settings.dataDir), previousKeyFile(settings.dataDir)];
  return {
    json: { step: "made", key: file, previous },
    text: `The new key is in ${file}, the previous one in ${previous}.
Restart every server so that it knows both keys. Then run this command again to re-encrypt everything.`,
  };
}
