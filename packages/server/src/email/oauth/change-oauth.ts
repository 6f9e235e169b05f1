import type { ChannelSettingsChange } from "@frontdesk/core/contract/channel-settings";
import type { ChannelHosts } from "../../outbound/channel-hosts.ts";
import { type Problems, refuseUnsafe, setSecret, withoutUndefined } from "../change-fields.ts";
import type { OAuthApp } from "../email-settings.ts";
import { readServiceKey, type ServiceKey } from "./service-key.ts";

/** Their names among the secrets of an account. */
export const CLIENT_SECRET = "oauth_client_secret";
export const PRIVATE_KEY = "oauth_private_key";

/**
 * The app of an account after a change, merged field by field; another provider replaces it. Undefined without one. Problems
 * are noted by the paths of fields.
 *
 * @param change.isRequired a server of the account signs in with tokens
 */
export function changeOAuth(
  before: OAuthApp | null | undefined,
  given: ChannelSettingsChange["oauth"],
  change: { secrets: Record<string, string>; problems: Problems; hosts: ChannelHosts; isRequired: boolean },
): OAuthApp | undefined {
  const { secrets, problems, hosts, isRequired } = change;
  if (given === null || (given === undefined && !before)) {
    delete secrets[CLIENT_SECRET];
    delete secrets[PRIVATE_KEY];
    if (isRequired) problems["settings.oauth"] = "oauth-required";
    return undefined;
  }
  if (given === undefined) return before ?? undefined;
  const provider = given.provider ?? before?.provider;
  if (provider === undefined) problems["settings.oauth.provider"] = "schema.required";
  const old = before?.provider === provider ? before : undefined;
  if (!old) for (const name of [CLIENT_SECRET, PRIVATE_KEY]) delete secrets[name];
  setSecret(secrets, CLIENT_SECRET, given.client_secret);
  const grant = given.grant ?? before?.grant ?? "person";
  const key = changeKey(given, { ...change, grant });
  const client_id = given.client_id ?? key?.account ?? old?.client_id;
  if (client_id === undefined) problems["settings.oauth.client_id"] = "schema.required";
  refuseUnsafe({ client_id, client_secret: given.client_secret, tenant: given.tenant }, "settings.oauth", problems);
  if (grant === "service" && provider) requireProof(provider, secrets, problems);
  if (provider === undefined || client_id === undefined) return undefined;
  const app = { provider, ...(grant === "service" && { grant }), client_id };
  if (provider === "google") return app;
  if (provider === "microsoft") return { ...app, tenant: tenantOf(given.tenant ?? old?.tenant, grant, problems) };
  const { token_url = old?.token_url, scope = old?.scope } = given;
  const authorize_url = grant === "service" ? undefined : (given.authorize_url ?? old?.authorize_url);
  for (const [name, url] of Object.entries({ ...(grant === "person" && { authorize_url }), token_url })) {
    const problem = url === undefined ? "schema.required" : urlProblem(url, hosts);
    if (problem) problems[`settings.oauth.${name}`] = problem;
  }
  if (scope === undefined) problems["settings.oauth.scope"] = "schema.required";
  refuseUnsafe({ scope }, "settings.oauth", problems);
  if (token_url === undefined || scope === undefined) return undefined;
  return { ...app, ...withoutUndefined({ authorize_url }), token_url, scope };
}

type Given = NonNullable<ChannelSettingsChange["oauth"]>;
type Grant = NonNullable<Given["grant"]>;

/** The key of a service account that was given; none is kept where a person signs in. */
function changeKey(
  { private_key: text }: Given,
  { secrets, problems, grant }: { secrets: Record<string, string>; problems: Problems; grant: Grant },
): ServiceKey | undefined {
  if (grant === "person" || text === null) delete secrets[PRIVATE_KEY];
  if (grant === "person" || !text) return undefined;
  const key = readServiceKey(text);
  if (key) secrets[PRIVATE_KEY] = key.pem;
  else problems["settings.oauth.private_key"] = "oauth-key";
  return key;
}

/** Without a person, the app has to prove who it is: with a key at Google, with a secret at Microsoft, and elsewhere with either. */
function requireProof(provider: OAuthApp["provider"], secrets: Record<string, string>, problems: Problems): void {
  const [key, secret] = [secrets[PRIVATE_KEY], secrets[CLIENT_SECRET]];
  if (provider === "google" && key === undefined) problems["settings.oauth.private_key"] ??= "schema.required";
  if (provider === "microsoft") delete secrets[PRIVATE_KEY];
  const needsSecret = provider === "microsoft" || (provider === "custom" && key === undefined);
  if (needsSecret && secret === undefined) problems["settings.oauth.client_secret"] ??= "schema.required";
}

/** Those that stand for many tenants: an app that no person signs in to belongs to one. */
const SHARED_TENANTS = ["common", "organizations", "consumers"];

function tenantOf(given: string | undefined, grant: Grant, problems: Problems): string {
  const tenant = given ?? "common";
  if (!/^[A-Za-z0-9.-]+$/.test(tenant)) problems["settings.oauth.tenant"] = "oauth-tenant";
  const isShared = SHARED_TENANTS.includes(tenant.toLowerCase());
  if (grant === "service" && isShared) problems["settings.oauth.tenant"] = "oauth-own-tenant";
  return tenant;
}

/** Ours connects to the one address, and browsers open the other: neither may be anything but https. */
function urlProblem(text: string, hosts: ChannelHosts) {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return "not-an-endpoint";
  return hosts.problemOf(url.hostname.replace(/^\[(.*)\]$/, "$1"));
}
