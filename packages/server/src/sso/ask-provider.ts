import { type Refusal, unavailable } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../access/actor.ts";
import type { Vault } from "../access/vault.ts";
import type { Perform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import type { OidcRequests } from "./oidc-client.ts";
import { requireProviderKey } from "./sso-provider.ts";

/** What signing in by SSO needs; providers are asked between transactions. */
export interface SsoSignInParts {
  storage: Storage;
  perform: Perform;
  requests: OidcRequests;
  vault: Vault;
  now(): number;
  random(bytes: number): Buffer;
  publicUrl: string;
}

/** Sign-ins that ask providers at once: an answer may take seconds. */
const MOST_AT_ONCE = 64;
const AWAY_SECONDS = 30;

export type AskProvider = ReturnType<typeof askProviders>;

/** Bounds how many sign-ins of this process ask providers at the same time. */
export function askProviders() {
  let underWay = 0;
  return async <T>(ask: () => Promise<T>): Promise<T> => {
    if (underWay >= MOST_AT_ONCE) throw unavailable(1, "sso-away");
    underWay += 1;
    try {
      return await ask();
    } finally {
      underWay -= 1;
    }
  };
}

export const away = (): Refusal => unavailable(AWAY_SECONDS, "sso-away");

/** No agent is signed in yet, so the system acts. */
export function systemOf(key: string, ip: string): SystemActor {
  return { kind: "system", teamId: requireProviderKey(key).team_id, ip };
}
