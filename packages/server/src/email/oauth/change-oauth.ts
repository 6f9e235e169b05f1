import type { ChannelSettingsChange } from "@frontdesk/core/contract/channel-settings";
import type { ChannelHosts } from "../../outbound/channel-hosts.ts";
import { type Problems, refuseUnsafe, setSecret } from "../change-fields.ts";
import type { OAuthApp } from "../email-settings.ts";

/** Its name among the secrets of an account. */
export const CLIENT_SECRET = "oauth_client_secret";

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
    if (isRequired) problems["settings.oauth"] = "oauth-required";
    return undefined;
  }
  if (given === undefined) return before ?? undefined;
  const provider = given.provider ?? before?.provider;
  if (provider === undefined) problems["settings.oauth.provider"] = "schema.required";
  const old = before?.provider === provider ? before : undefined;
  if (!old) delete secrets[CLIENT_SECRET];
  setSecret(secrets, CLIENT_SECRET, given.client_secret);
  const client_id = given.client_id ?? old?.client_id;
  if (client_id === undefined) problems["settings.oauth.client_id"] = "schema.required";
  refuseUnsafe({ client_id, client_secret: given.client_secret, tenant: given.tenant }, "settings.oauth", problems);
  if (provider === undefined || client_id === undefined) return undefined;
  if (provider === "google") return { provider, client_id };
  if (provider === "microsoft") {
    const tenant = given.tenant ?? old?.tenant ?? "common";
    if (!/^[A-Za-z0-9.-]+$/.test(tenant)) problems["settings.oauth.tenant"] = "oauth-tenant";
    return { provider, client_id, tenant };
  }
  const { authorize_url = old?.authorize_url, token_url = old?.token_url, scope = old?.scope } = given;
  for (const [name, url] of Object.entries({ authorize_url, token_url })) {
    const problem = url === undefined ? "schema.required" : urlProblem(url, hosts);
    if (problem) problems[`settings.oauth.${name}`] = problem;
  }
  if (scope === undefined) problems["settings.oauth.scope"] = "schema.required";
  refuseUnsafe({ scope }, "settings.oauth", problems);
  if (authorize_url === undefined || token_url === undefined || scope === undefined) return undefined;
  return { provider, client_id, authorize_url, token_url, scope };
}

/** Ours connects to the one address, and browsers open the other: neither may be anything but https. */
function urlProblem(text: string, hosts: ChannelHosts) {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return "not-an-endpoint";
  return hosts.problemOf(url.hostname.replace(/^\[(.*)\]$/, "$1"));
}
