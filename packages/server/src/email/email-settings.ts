import type {
  afterImports,
  mailAuths,
  mailSecurities,
  oauthGrants,
  oauthProviders,
} from "@frontdesk/core/contract/channel-settings";
import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";

export type MailSecurity = (typeof mailSecurities)[number];
export type AfterImport = (typeof afterImports)[number];
/** `oauth`: with tokens that `OAuthApp` obtains. */
export type MailAuth = (typeof mailAuths)[number];

/** A team's own app at a provider that signs in to its mailboxes. Its secret is among the account's secrets. */
export interface OAuthApp {
  provider: (typeof oauthProviders)[number];
  /** Left out: `person`. */
  grant?: (typeof oauthGrants)[number];
  client_id: string;
  /** Of Microsoft alone. */
  tenant?: string;
  /** Of `custom` alone, as the next two. Not where no person signs in. */
  authorize_url?: string;
  token_url?: string;
  scope?: string;
}

/** A mail server that an account uses. Passwords are among the account's secrets. */
export interface MailServer {
  host: string;
  port: number;
  security: MailSecurity;
}

export interface ImapInbound extends MailServer {
  kind: "imap";
  username: string;
  auth: MailAuth;
  folder: string;
  afterImport: AfterImport;
  /** Whether replies of its folder of sent mails are imported. */
  sentFolder: boolean;
}

export interface SmtpOutbound extends MailServer {
  /** Null: without signing in. */
  username: string | null;
  auth: MailAuth;
}

/** The settings of an e-mail account, with the defaults. */
export interface EmailSettings {
  /** The local part as written, the domain in lower case. */
  address: string;
  /** Null: the agent's name. */
  displayName: string | null;
  /** Other addresses that deliver to the mailbox. */
  aliases: readonly string[];
  /** The senders of web forms (`rules/who-wrote.ts`). */
  formSenders: readonly string[];
  /** `http`: raw mails are posted to the callback address. */
  inbound: ImapInbound | { kind: "http" };
  /** Null: the installation's SMTP_URL. */
  outbound: SmtpOutbound | null;
  oauth: OAuthApp | null;
  /** Whether Reply-To is `local+r.TOKEN@domain`. */
  plusAddressing: boolean;
  /** How long replies of the dashboard are held. */
  holdSeconds: number;
  /** The most mails a minute. */
  pace: number;
  /** The most mails in any 24 hours. */
  dailyLimit: number;
  /** After so many days an answer starts a new conversation; null: never. */
  reopenDays: number | null;
  /** How the account's server names itself in Authentication-Results (`rules/verdict.ts`); null where it is not known. */
  authservId: string | null;
  /** The automatic reply to the first email of a conversation; null: none is sent. */
  acknowledgement: Acknowledgement | null;
}

export interface Acknowledgement {
  /** The team's own text; null: ours. */
  text: string | null;
  /** Of the subject, and of our text. */
  language: WidgetLanguage;
}

/** The names in `secrets` of an account (`DrivenAccount`). `door`: what the callback address ends in. */
export type EmailSecret =
  | "inbound_password"
  | "outbound_password"
  | "oauth_client_secret"
  | "oauth_private_key"
  | "door";

/** As they are stored, in the form of the REST API without its passwords: only what was set, so that a better default reaches all. */
export interface StoredEmailSettings {
  address: string;
  display_name?: string | null;
  aliases?: readonly string[];
  form_senders?: readonly string[];
  inbound: StoredImap | { kind: "http" };
  outbound?: StoredSmtp | null;
  oauth?: OAuthApp | null;
  plus_addressing?: boolean;
  hold_seconds?: number;
  pace?: number;
  daily_limit?: number;
  reopen_days?: number | null;
  authserv_id?: string | null;
  acknowledgement?: Acknowledgement | null;
}

export interface StoredImap extends MailServer {
  kind: "imap";
  username: string;
  auth?: MailAuth;
  folder?: string;
  after_import?: AfterImport;
  sent_folder?: boolean;
}

export interface StoredSmtp extends MailServer {
  username: string | null;
  auth?: MailAuth;
}

export const emailDefaults = {
  auth: "password",
  folder: "INBOX",
  afterImport: "leave",
  sentFolder: true,
  plusAddressing: true,
  holdSeconds: 10,
  pace: 30,
  dailyLimit: 400,
} as const;

/** The settings of an account, from its row (`JSON.parse(row.settings)`) or its driver (`DrivenAccount.settings`). */
export function readEmailSettings(settings: object): EmailSettings {
  const stored = settings as StoredEmailSettings;
  return {
    address: stored.address,
    displayName: stored.display_name ?? null,
    aliases: stored.aliases ?? [],
    formSenders: stored.form_senders ?? [],
    inbound: stored.inbound.kind === "imap" ? imapOf(stored.inbound) : { kind: "http" },
    outbound: stored.outbound ? { auth: emailDefaults.auth, ...stored.outbound } : null,
    oauth: stored.oauth ?? null,
    plusAddressing: stored.plus_addressing ?? emailDefaults.plusAddressing,
    holdSeconds: stored.hold_seconds ?? emailDefaults.holdSeconds,
    pace: stored.pace ?? emailDefaults.pace,
    dailyLimit: stored.daily_limit ?? emailDefaults.dailyLimit,
    reopenDays: stored.reopen_days ?? null,
    authservId: accountAuthservId(stored),
    acknowledgement: stored.acknowledgement ?? null,
  };
}

function imapOf({ host, port, security, username, ...chosen }: StoredImap): ImapInbound {
  const { auth, folder, after_import, sent_folder } = chosen;
  return {
    ...{ kind: "imap", host, port, security, username },
    auth: auth ?? emailDefaults.auth,
    folder: folder ?? emailDefaults.folder,
    afterImport: after_import ?? emailDefaults.afterImport,
    sentFolder: sent_folder ?? emailDefaults.sentFolder,
  };
}

/**
 * How large providers name their servers in Authentication-Results. Each writes its header above those of the sender. "" is the name
 * of Microsoft 365, whose header has none.
 */
const AUTHSERV_IDS: Readonly<Record<string, string>> = {
  "imap.gmail.com": "mx.google.com",
  "outlook.office365.com": "",
};

/** How the server of an account names itself in Authentication-Results: as it is set, else as its provider does; null: not known. */
export function accountAuthservId({
  authserv_id,
  inbound,
}: Partial<Pick<StoredEmailSettings, "authserv_id" | "inbound">>): string | null {
  return authserv_id ?? (inbound?.kind === "imap" ? (AUTHSERV_IDS[inbound.host] ?? null) : null);
}
