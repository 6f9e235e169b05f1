import type { ChannelSettingsChange } from "@frontdesk/core/contract/channel-settings";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { type ChannelHosts, canonicalHost } from "../outbound/channel-hosts.ts";
import {
  changeAddresses,
  isUnsafe,
  type Problems,
  refuseUnsafe,
  setSecret,
  withoutUndefined,
} from "./change-fields.ts";
import type { MailServer, StoredEmailSettings, StoredImap, StoredSmtp } from "./email-settings.ts";
import { changeOAuth } from "./oauth/change-oauth.ts";

/** Longest local part of an address (RFC 5321, 4.5.3.1), less what plus addressing adds is the account's own matter. */
const LOCAL_PART_MAX = 64;

export interface EmailAccountParts {
  settings: StoredEmailSettings;
  secrets: Readonly<Record<string, string>>;
}

type Inbound = NonNullable<ChannelSettingsChange["inbound"]>;
type Outbound = NonNullable<ChannelSettingsChange["outbound"]>;

/**
 * The settings and secrets of an e-mail account after a change; of a new one without `before`. `inbound` and `outbound` are merged
 * field by field, another kind replaces `inbound`, null removes a secret.
 *
 * @param newDoor a new secret for the callback address, called when the account gets one
 * @throws Refusal `invalid` with the paths of fields, `settings.inbound.host`
 */
export function changeEmailSettings(
  before: EmailAccountParts | undefined,
  given: ChannelSettingsChange,
  { hosts, newDoor }: { hosts: ChannelHosts; newDoor: () => string },
): EmailAccountParts {
  const problems: Problems = {};
  const secrets: Record<string, string> = { ...before?.secrets };
  const address = given.address === undefined ? before?.settings.address : readAddress(given.address, problems);
  if (address === undefined) problems["settings.address"] ??= "schema.required";
  const inbound = changeInbound(before?.settings.inbound, given.inbound, { secrets, problems, hosts });
  if (inbound?.kind === "http") secrets.door ??= newDoor();
  else delete secrets.door;
  const outbound = changeOutbound(before?.settings.outbound, given.outbound, { secrets, problems, hosts });
  const isOAuth = [inbound, outbound].some((server) => server && "auth" in server && server.auth === "oauth");
  const oauth = changeOAuth(before?.settings.oauth, given.oauth, { secrets, problems, hosts, isRequired: isOAuth });
  const aliases = changeAddresses(given.aliases, "settings.aliases", problems);
  const form_senders = changeAddresses(given.form_senders, "settings.form_senders", problems);
  refuseUnsafe({ display_name: given.display_name, authserv_id: given.authserv_id }, "settings", problems);
  if (Object.keys(problems).length > 0 || address === undefined || inbound === undefined) throw invalid(problems);
  const { display_name, plus_addressing, hold_seconds, pace, daily_limit, reopen_days } = given;
  const authserv_id = given.authserv_id?.trim() ?? given.authserv_id;
  const acknowledgement = given.acknowledgement && {
    text: given.acknowledgement.text?.trim() || null,
    language: given.acknowledgement.language,
  };
  const ways = { plus_addressing, hold_seconds, pace, daily_limit, acknowledgement, reopen_days, authserv_id };
  const chosen = { display_name, aliases, form_senders, ...ways };
  const { oauth: _, ...others } = before?.settings ?? {};
  const settings = { ...others, address, inbound, outbound, ...(oauth && { oauth }), ...withoutUndefined(chosen) };
  return { settings, secrets };
}

interface Change {
  secrets: Record<string, string>;
  problems: Problems;
  hosts: ChannelHosts;
}

function changeInbound(
  before: StoredEmailSettings["inbound"] | undefined,
  given: Inbound | undefined,
  change: Change,
): StoredEmailSettings["inbound"] | undefined {
  const { secrets, problems } = change;
  const at = (name: string) => `settings.inbound.${name}`;
  const kind = given?.kind ?? before?.kind;
  if (!given && !before) problems["settings.inbound"] = "schema.required";
  else if (kind === undefined) problems[at("kind")] = "schema.required";
  if (kind === undefined) return undefined;
  if (kind !== before?.kind || kind === "http") delete secrets.inbound_password;
  if (kind === "http") return { kind };
  const old = before?.kind === "imap" ? before : undefined;
  if (!given) return old;
  const server = changeServer(old, given, "settings.inbound", change);
  const username = given.username ?? old?.username;
  if (username === undefined) problems[at("username")] = "schema.required";
  const auth = given.auth ?? old?.auth;
  if (auth === "oauth") {
    if (typeof given.password === "string") problems[at("password")] = "oauth-password";
    delete secrets.inbound_password;
  } else {
    const isNew = !old || old.auth === "oauth";
    if (isNew && typeof given.password !== "string") problems[at("password")] = "schema.required";
    setSecret(secrets, "inbound_password", given.password);
  }
  const folder = given.folder ?? old?.folder;
  const after_import = given.after_import ?? old?.after_import;
  const sent_folder = given.sent_folder ?? old?.sent_folder;
  if (folder !== undefined && isUnsafe(folder)) problems[at("folder")] = "control-characters";
  refuseUnsafe({ username, password: given.password }, "settings.inbound", problems);
  if (!server || username === undefined) return undefined;
  const chosen = withoutUndefined({ auth, folder, after_import, sent_folder });
  return { kind, ...server, username, ...chosen } satisfies StoredImap;
}

function changeOutbound(
  before: StoredSmtp | null | undefined,
  given: Outbound | null | undefined,
  change: Change,
): StoredSmtp | null {
  const { secrets, problems } = change;
  if (given === undefined) return before ?? null;
  if (given === null) {
    delete secrets.outbound_password;
    return null;
  }
  const server = changeServer(before ?? undefined, given, "settings.outbound", change);
  const username = given.username === undefined ? (before?.username ?? null) : given.username;
  const auth = given.auth ?? before?.auth;
  if (auth === "oauth") {
    if (username === null) problems["settings.outbound.username"] = "schema.required";
    if (typeof given.password === "string") problems["settings.outbound.password"] = "oauth-password";
    delete secrets.outbound_password;
  } else {
    setSecret(secrets, "outbound_password", given.password);
    const isNew = !before?.username || before.auth === "oauth";
    if (username === null) delete secrets.outbound_password;
    // Removing the password of an account that has one is a wish; signing in without ever having had one is a mistake.
    else if (isNew && typeof given.password !== "string") problems["settings.outbound.password"] = "schema.required";
  }
  refuseUnsafe({ username, password: given.password }, "settings.outbound", problems);
  return server ? { ...server, username, ...withoutUndefined({ auth }) } : null;
}

/** Undefined when something is missing or wrong, which is then in `problems`. */
function changeServer(
  before: MailServer | undefined,
  given: Inbound | Outbound,
  path: string,
  { problems, hosts }: Change,
): MailServer | undefined {
  const host = given.host === undefined ? before?.host : canonicalHost(given.host);
  const port = given.port ?? before?.port;
  const security = given.security ?? before?.security;
  for (const [name, value] of Object.entries({ host, port, security })) {
    if (value === undefined) problems[`${path}.${name}`] = "schema.required";
  }
  if (host !== undefined) {
    const problem = hosts.problemOf(host);
    if (problem) problems[`${path}.host`] = problem;
    const plain = security === "none" ? hosts.plainProblemOf(host) : undefined;
    if (plain) problems[`${path}.security`] = plain;
  }
  return host === undefined || port === undefined || security === undefined ? undefined : { host, port, security };
}

/** The domain is compared without case; a local part is in fact, too, so that an address is one account in any case. */
export const emailProviderKey = (address: string): string => address.toLowerCase();

function readAddress(text: string, problems: Problems): string {
  const at = text.lastIndexOf("@");
  if (at > LOCAL_PART_MAX) problems["settings.address"] = because("address-local-part", { max: LOCAL_PART_MAX });
  return text.slice(0, at) + text.slice(at).toLowerCase();
}
