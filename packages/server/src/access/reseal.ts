import { setInstallationValue } from "../setup/installation-store.ts";
import type { Storage } from "../storage/database.ts";
import { allTeams } from "../teams/team-store.ts";
import { sealedTexts } from "./sealed-text-store.ts";
import { VAULT_FINGERPRINT } from "./secret-key.ts";
import { sealedColumns, type Vault } from "./vault.ts";

/** Rows in one transaction: the team's other writes wait at most for these. */
const AT_ONCE = 200;

/**
 * Seals again everything that the previous key has sealed, or that is not bound to its place yet, and then notes the present
 * key as that of the data. Safe to interrupt at any point, and to repeat: each text says which key opens it, and a running
 * server that knows both keys opens either.
 *
 * @returns how many texts were sealed again
 * @throws when a text was sealed with a third key
 */
export async function resealAll(storage: Storage, vault: Vault): Promise<number> {
  let total = 0;
  for (const { team_id } of await storage.read((db) => db.all(allTeams, {}))) {
    for (const column of sealedColumns) {
      let resealed = AT_ONCE;
      while (resealed === AT_ONCE) {
        resealed = await storage.write(team_id, async (db) => {
          const { older, replace } = sealedTexts[column];
          const found = await db.all(older, { team_id, sealed_now: vault.sealedNow, limit: AT_ONCE });
          for (const { id, sealed } of found) {
            const place = { column, teamId: team_id, id };
            await replace(db, { team_id, id, sealed, fresh: vault.seal(vault.open(sealed, place), place) });
          }
          return found.length;
        });
        total += resealed;
      }
    }
  }
  await storage.write(null, (db) =>
    db.run(setInstallationValue, { name: VAULT_FINGERPRINT, value: vault.fingerprint }),
  );
  return total;
}
