/** What is entered for a mailbox, and the settings that it becomes. */
import type {
  afterImports,
  ChannelSettings,
  ChannelSettingsChange,
  inboundKinds,
  mailAuths,
  mailSecurities,
  oauthGrants,
  oauthProviders,
} from "@frontdesk/core/contract/channel-settings";
import type { FoundMailServers } from "@frontdesk/core/contract/session-channels";

export type MailSecurity = (typeof mailSecurities)[number];

export interface ServerDraft {
  host: string;
  /** As it is typed. */
  port: string;
  security: MailSecurity;
}

/** How the mail server that sends is signed in to: as the mailbox, with its own name and password, or not at all. */
export const sendingSignIns = ["same", "own", "none"] as const;

/** The team's own app at a provider. */
export interface OAuthDraft {
  provider: (typeof oauthProviders)[number];
  /** Whether a person signs in as the mailbox, or the app needs none. */
  grant: (typeof oauthGrants)[number];
  clientId: string;
  /** Empty: the one that is stored stays. */
  clientSecret: string;
  /** Of a service account; empty: the one that is stored stays. */
  privateKey: string;
  /** Of Microsoft; empty: any account. */
  tenant: string;
  /** Of any other provider, as the next two. */
  authorizeUrl: string;
  tokenUrl: string;
  scope: string;
}

export interface MailboxDraft {
  address: string;
  /** How the mailbox is signed in to; sending too, where it signs in as the mailbox. */
  auth: (typeof mailAuths)[number];
  oauth: OAuthDraft;
  /** Empty: the one that is stored stays. */
  password: string;
  kind: (typeof inboundKinds)[number];
  inbound: ServerDraft;
  /** Empty: the address. */
  username: string;
  folder: string;
  afterImport: (typeof afterImports)[number];
  /** Whether replies from mail programs are imported. */
  sentFolder: boolean;
  /** Whether replies leave by a server of the mailbox; else by the installation's. */
  sendsItself: boolean;
  outbound: ServerDraft;
  sendingSignIn: (typeof sendingSignIns)[number];
  sendingUsername: string;
  sendingPassword: string;
}

const IMAPS: ServerDraft = { host: "", port: "993", security: "tls" };
const SMTPS: ServerDraft = { host: "", port: "465", security: "tls" };

const NO_APP: OAuthDraft = {
  ...{ provider: "google", grant: "person", clientId: "", clientSecret: "", privateKey: "" },
  ...{ tenant: "", authorizeUrl: "", tokenUrl: "", scope: "" },
};

export const emptyDraft: MailboxDraft = {
  ...{ auth: "password", oauth: NO_APP },
  ...{ address: "", password: "", kind: "imap", inbound: IMAPS, username: "" },
  ...{ folder: "INBOX", afterImport: "leave", sentFolder: true },
  ...{ sendsItself: true, outbound: SMTPS, sendingSignIn: "same", sendingUsername: "", sendingPassword: "" },
};

/** An account's settings as they are edited. */
export function draftOf({ address = "", inbound, outbound, oauth }: ChannelSettings): MailboxDraft {
  const username = inbound?.username ?? "";
  const sendingUsername = outbound?.username ?? null;
  const isSame = inbound?.kind === "imap" && sendingUsername === username;
  return {
    ...emptyDraft,
    address,
    auth: inbound?.auth ?? emptyDraft.auth,
    oauth: oauthDraft(oauth),
    kind: inbound?.kind ?? emptyDraft.kind,
    inbound: serverDraft(inbound, IMAPS),
    username: username === address ? "" : username,
    folder: inbound?.folder ?? emptyDraft.folder,
    afterImport: inbound?.after_import ?? emptyDraft.afterImport,
    sentFolder: inbound?.sent_folder ?? emptyDraft.sentFolder,
    sendsItself: Boolean(outbound),
    outbound: serverDraft(outbound, SMTPS),
    sendingSignIn: isSame || !outbound ? "same" : sendingUsername === null ? "none" : "own",
    sendingUsername: isSame ? "" : (sendingUsername ?? ""),
  };
}

/** The draft with the servers that were found for its address. */
export function withServers(
  draft: MailboxDraft,
  { inbound, outbound, oauth, sign_in }: FoundMailServers,
): MailboxDraft {
  const auth = oauth && sign_in === "none" ? "oauth" : "password";
  return {
    ...{ ...draft, inbound: serverDraft(inbound, IMAPS), outbound: serverDraft(outbound, SMTPS), auth },
    oauth: oauth ? { ...draft.oauth, provider: oauth } : draft.oauth,
  };
}

/** All settings of a mailbox; a password that is not entered is left out. */
export function settingsOf(draft: MailboxDraft): ChannelSettingsChange {
  const address = draft.address.trim();
  return {
    ...{ address, inbound: inboundOf(draft, address), outbound: outboundOf(draft, address) },
    ...(usesOAuth(draft) && { oauth: oauthOf(draft.oauth) }),
  };
}

/** The settings that differ from those that are stored, and the passwords that are entered. */
export function changedSettings(draft: MailboxDraft, was: MailboxDraft): ChannelSettingsChange {
  const [before, now] = [settingsOf({ ...was, password: "", sendingPassword: "" }), settingsOf(draft)];
  const names = Object.keys(now) as (keyof ChannelSettingsChange)[];
  return Object.fromEntries(
    names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name])).map((name) => [name, now[name]]),
  ) as ChannelSettingsChange;
}

export const usesOAuth = ({ kind, auth }: MailboxDraft): boolean => kind === "imap" && auth === "oauth";

/** An admin signs in at the provider once it is saved: before, there is nothing to try. */
export const needsSignIn = (draft: MailboxDraft): boolean => usesOAuth(draft) && draft.oauth.grant === "person";

/** A service account of Google is named in its key file. */
export const usesClientId = ({ provider, grant }: OAuthDraft): boolean => grant === "person" || provider !== "google";

/** What an app proves itself with where no person signs in. */
export const usesKey = ({ provider, grant }: OAuthDraft): boolean => grant === "service" && provider !== "microsoft";
export const usesClientSecret = usesClientId;

function oauthDraft(oauth: ChannelSettings["oauth"]): OAuthDraft {
  if (!oauth) return NO_APP;
  const { provider, grant, client_id: clientId, tenant = "", authorize_url = "", token_url = "", scope = "" } = oauth;
  return { ...NO_APP, provider, grant, clientId, tenant, authorizeUrl: authorize_url, tokenUrl: token_url, scope };
}

/** A field that is empty is left out, so that it is refused as missing. */
function oauthOf(draft: OAuthDraft): NonNullable<ChannelSettingsChange["oauth"]> {
  const { provider, grant, ...of } = draft;
  const given = {
    ...(usesClientId(draft) && { client_id: of.clientId.trim() }),
    ...(usesClientSecret(draft) && { client_secret: of.clientSecret }),
    ...(usesKey(draft) && { private_key: of.privateKey.trim() }),
    ...(provider === "microsoft" && { tenant: of.tenant.trim() || "common" }),
    ...(provider === "custom" && { token_url: of.tokenUrl.trim(), scope: of.scope.trim() }),
    ...(provider === "custom" && grant === "person" && { authorize_url: of.authorizeUrl.trim() }),
  };
  return { provider, grant, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")) };
}

function inboundOf(draft: MailboxDraft, address: string): NonNullable<ChannelSettingsChange["inbound"]> {
  if (draft.kind === "http") return { kind: "http" };
  const { folder, afterImport, sentFolder, auth, password, inbound } = draft;
  return {
    ...{ kind: "imap", ...serverOf(inbound), username: draft.username.trim() || address, auth },
    ...(auth === "password" && password && { password }),
    ...{ folder: folder.trim() || emptyDraft.folder, after_import: afterImport, sent_folder: sentFolder },
  };
}

function outboundOf(draft: MailboxDraft, address: string): NonNullable<ChannelSettingsChange["outbound"]> | null {
  if (!draft.sendsItself) return null;
  const server = serverOf(draft.outbound);
  const signIn = signInOf(draft);
  if (signIn === "none") return { ...server, username: null };
  const isSame = signIn === "same";
  const username = (isSame ? draft.username : draft.sendingUsername).trim() || address;
  if (isSame && draft.auth === "oauth") return { ...server, username, auth: "oauth" };
  const password = isSame ? draft.password : draft.sendingPassword;
  return { ...server, username, auth: "password", ...(password && { password }) };
}

/** A mailbox whose mails are posted has nothing that is signed in to by the same name. */
export const signInOf = ({ kind, sendingSignIn }: MailboxDraft): MailboxDraft["sendingSignIn"] =>
  kind === "http" && sendingSignIn === "same" ? "own" : sendingSignIn;

/** A field that is empty is left out, so that it is refused as missing. */
function serverOf({ host, port, security }: ServerDraft) {
  return {
    ...(host.trim() && { host: host.trim() }),
    ...(port.trim() && { port: Number(port) }),
    security,
  };
}

function serverDraft(
  server: { host?: string; port?: number; security?: MailSecurity } | null | undefined,
  { host, port, security }: ServerDraft,
): ServerDraft {
  return {
    host: server?.host ?? host,
    port: server?.port === undefined ? port : String(server.port),
    security: server?.security ?? security,
  };
}
