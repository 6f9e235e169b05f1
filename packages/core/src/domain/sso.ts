/** Single sign-on by OpenID Connect: what a provider has to say of a person (docs/decisions/0070-single-sign-on.md). */

export const ssoPresets = ["google", "microsoft", "okta", "keycloak", "authentik", "custom"] as const;
export type SsoPreset = (typeof ssoPresets)[number];

export const GOOGLE_ISSUER = "https://accounts.google.com";

/** How long a session by SSO lasts, in hours, however much it is used. */
export const SSO_SESSION_HOURS = { min: 1, max: 168, default: 12 } as const;

const ISSUER_MAX = 500;
const MICROSOFT_HOST = "login.microsoftonline.com";
const TENANT_PATH = /^\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0$/i;

/** Why a provider cannot have this issuer; undefined when it can. A slash at its end belongs to it. */
export function issuerProblem(preset: SsoPreset, issuer: string): "sso-issuer" | "sso-tenant" | undefined {
  const url = URL.parse(issuer);
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash && !/[?#\s]/.test(issuer);
  if (!isPlain || url.protocol !== "https:" || issuer.length > ISSUER_MAX) return "sso-issuer";
  if (preset === "google") return issuer === GOOGLE_ISSUER ? undefined : "sso-issuer";
  const isMicrosoft = preset === "microsoft" || url.hostname === MICROSOFT_HOST;
  // `common` and `organizations` are the accounts of everyone, and their issuer is a pattern.
  if (isMicrosoft && !(url.hostname === MICROSOFT_HOST && TENANT_PATH.test(url.pathname))) return "sso-tenant";
  return undefined;
}

/** A domain as it is stored and compared: lower case, ASCII; undefined for what is no domain of the internet. */
export function readDomain(text: string): string | undefined {
  const host = URL.parse(`http://${text.trim()}`)?.hostname.replace(/\.$/, "") ?? "";
  const isPlain = /^[^\s/:@?#\\]+$/.test(text.trim());
  const labels = host.split(".");
  const isDomain = labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return isPlain && isDomain && host.length <= 253 && !/^\d+$/.test(labels.at(-1) ?? "") ? host : undefined;
}

/** The domain of an e-mail, in the form of `readDomain`. */
export function domainOfEmail(email: string): string | undefined {
  return readDomain(email.slice(email.lastIndexOf("@") + 1));
}

/** What of a token counts: what is no text or no list of texts is left out. */
export interface SsoClaims {
  subject: string;
  email: string | undefined;
  name: string | undefined;
  groups: readonly string[];
  /** The claims as they came, for the rules of a provider. */
  all: Readonly<Record<string, unknown>>;
}

/**
 * Whether the provider vouches for the e-mail: that the person has it. `"true"` as a text is none of the values that count.
 *
 * @param trustsEmail the owner vouches for all e-mails of the provider
 */
export function vouchesForEmail(
  { preset, trustsEmail }: { preset: SsoPreset; trustsEmail: boolean },
  { email, all }: SsoClaims,
): boolean {
  if (email === undefined) return false;
  const { email_verified: verified, hd, xms_edov: domainOwned } = all;
  switch (preset) {
    // Without `hd` it is a private account, whose e-mail can be one of another provider.
    case "google":
      return verified === true && typeof hd === "string" && readDomain(hd) === domainOfEmail(email);
    // The e-mail of a Microsoft account can be set by admins of its tenant, to any domain.
    case "microsoft":
      return domainOwned === true || trustsEmail;
    // It says false of every e-mail, unless its admin changes a mapping.
    case "authentik":
      return verified === true || trustsEmail;
    case "okta":
    case "keycloak":
    case "custom":
      return verified === true || (trustsEmail && verified !== false);
    default:
      return preset satisfies never;
  }
}

/** Ways of the person's proof (`amr`, RFC 8176) that are no password and no text message. */
const FACTORS = ["mfa", "otp", "hwk", "swk", "sc", "face", "fpt", "iris", "retina", "vbm"];
/** Names of assurance (`acr`) that need two factors. */
const ASSURANCES = [
  "phr",
  "phrh",
  "https://refeds.org/profile/mfa",
  "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
  "urn:okta:loa:2fa:any",
];

/**
 * Whether the provider says that the person has shown a second factor. One that says nothing is taken for a password alone.
 *
 * @param amr separated by spaces
 */
export function saysSecondFactor({ amr, acr }: { amr: string | null; acr: unknown }): boolean {
  const ways = amr?.split(" ") ?? [];
  return ways.some((way) => FACTORS.includes(way)) || (typeof acr === "string" && ASSURANCES.includes(acr));
}
