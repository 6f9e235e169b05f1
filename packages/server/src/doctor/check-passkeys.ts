import { relyingPartyOf } from "../access/relying-party.ts";
import { passkeysOfOtherHosts } from "../factors/passkey-store.ts";
import type { Storage } from "../storage/database.ts";
import type { Check } from "./check.ts";

/** Passkeys work at the host that they were made for: another `PUBLIC_URL` makes them worth nothing. */
export async function checkPasskeys(storage: Storage, publicUrl: string): Promise<Check> {
  const name = "passkeys";
  const party = relyingPartyOf(publicUrl);
  const orphaned = await storage.read((db) => db.first(passkeysOfOtherHosts, { rp_id: party?.id ?? "" }));
  const count = Number(orphaned?.count ?? 0);
  if (count > 0) {
    return {
      name,
      state: "warning",
      says: `${count} ${count === 1 ? "passkey was" : "passkeys were"} made for another host than that of PUBLIC_URL, and can't be used.`,
      do: "Set PUBLIC_URL back to that host, or have their agents add new ones. Those who can't sign in: frontdesk agent reset-factors --email E",
    };
  }
  if (!party) {
    return { name, state: "note", says: `Browsers have no passkeys at ${publicUrl}: they need https and a host name.` };
  }
  return { name, state: "ok", says: `Passkeys are for ${party.id}.` };
}
