import type { SsoPreset } from "@frontdesk/core/domain/sso";
import { createOutbound } from "../outbound/outbound.ts";
import { createOidcRequests, type OidcRequests } from "../sso/oidc-client.ts";
import { getsInAlways } from "../sso/sso-lockout.ts";
import { domainsOfTeam, ownersWithPasswords, providersOfTeam } from "../sso/sso-store.ts";
import type { Storage } from "../storage/database.ts";
import { allTeams } from "../teams/team-store.ts";
import type { Check } from "./check.ts";

const says = {
  away: "does not answer",
  private: "is in a private network that SSO_ALLOWED_NETWORKS does not list",
  "no-provider": "is no OpenID Connect provider with this issuer",
  refused: "is no OpenID Connect provider with this issuer",
} as const;

/** Whether the providers of single sign-on answer, and whether someone gets in while one does not. */
export async function checkSso(
  storage: Storage,
  network: { allowedNetworks: readonly string[]; extraCa?: string },
): Promise<Check> {
  const outbound = createOutbound(network);
  try {
    return await check(storage, createOidcRequests(outbound, Date.now));
  } finally {
    outbound.close();
  }
}

async function check(storage: Storage, requests: Pick<OidcRequests, "look">): Promise<Check> {
  const name = "single sign-on";
  const problems: string[] = [];
  let providers = 0;
  for (const of of await storage.read((db) => db.all(allTeams, {}))) {
    const team = { team_id: of.team_id };
    for (const { is_on, issuer, name: named, client_id, preset } of await storage.read((db) =>
      db.all(providersOfTeam, team),
    )) {
      if (is_on !== 1) continue;
      providers += 1;
      // Its documents are public: no secret is sent.
      const asked = { preset: preset as SsoPreset, issuer, clientId: client_id, clientSecret: "" };
      const answer = await requests.look(asked);
      if (answer) problems.push(`${named} (${issuer}) ${says[answer.problem]}`);
    }
    const domains = await storage.read((db) => db.all(domainsOfTeam, team));
    const isRequired = domains.some(({ required_at }) => required_at !== null);
    const owners = await storage.read((db) => db.all(ownersWithPasswords, team));
    if (isRequired && !owners.some(getsInAlways)) problems.push(`no owner of ${of.name} keeps a password`);
  }
  if (problems.length > 0) {
    return {
      name,
      state: "warning",
      says: `${problems.join("; ")}.`,
      do: "Check the provider. Until it works, npx frontdesk sso off lets people sign in with their passwords.",
    };
  }
  if (providers === 0) return { name, state: "note", says: "No team uses it." };
  return { name, state: "ok", says: providers === 1 ? "The provider answers." : `All ${providers} providers answer.` };
}
