import type { Vault } from "../access/vault.ts";
import type { BegunOidc, OidcSignIn } from "./oidc-client.ts";

/** How long a person may take at the provider, and for their password after it. */
export const SSO_COOKIE_MS = 10 * 60_000;

interface Common {
  /** The key of the provider. */
  provider: string;
  /** The path of the dashboard to go on with. */
  next: string | undefined;
  /** ms since 1970 */
  until: number;
}

/** A sign-in that was begun in this browser. Those of agents who are signed in end in the same session. */
export type BegunSso = Common &
  BegunOidc &
  ({ purpose: "sign-in" } | { purpose: "test" | "link" | "verify"; sessionId: string });

/** The provider has named an agent with a password, which is asked for now. */
export type PasswordToLink = Common & { purpose: "password"; agentId: string; email: string; signIn: OidcSignIn };

/** What the cookie of a sign-in holds, sealed: no row is stored for those who are not signed in. */
export type SsoCookieContent = BegunSso | PasswordToLink;

const PLACE = { column: "sso.cookie", teamId: "", id: "" } as const;

export const sealSsoCookie = (vault: Vault, content: SsoCookieContent): string =>
  vault.seal(JSON.stringify(content), PLACE);

/** Undefined for what was not sealed here, or is over. */
export function openSsoCookie(vault: Vault, value: string | undefined, now: number): SsoCookieContent | undefined {
  if (value === undefined) return undefined;
  try {
    const content = JSON.parse(vault.open(value, PLACE)) as SsoCookieContent;
    return content.until > now ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Names of assurance that count are shorter. */
const ACR_MAX = 100;

/** The claims that are needed once more, after the password. */
export function withoutOtherClaims({ claims, ...signIn }: OidcSignIn): OidcSignIn {
  const { email_verified, hd, xms_edov, acr } = claims.all;
  const kept = { email_verified, hd, xms_edov, ...(typeof acr === "string" && acr.length <= ACR_MAX && { acr }) };
  return { ...signIn, claims: { ...claims, groups: [], all: kept } };
}

const NEXT_MAX = 1_000;

/** A path of the dashboard, and no other site's address in any spelling; undefined for anything else. */
export function ownPath(next: string | undefined): string | undefined {
  return next !== undefined && next.length <= NEXT_MAX && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)
    ? next
    : undefined;
}
