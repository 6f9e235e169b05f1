/** What is entered for a mailbox, and the settings that it becomes. */
import type {
  afterImports,
  ChannelSettings,
  ChannelSettingsChange,
  inboundKinds,
  mailSecurities,
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

export interface MailboxDraft {
  address: string;
  /** Empty: the one that is stored stays. */
  password: string;
  kind: (typeof inboundKinds)[number];
  inbound: ServerDraft;
  /** Empty: the address. */
  username: string;
  folder: string;
  afterImport: (typeof afterImports)[number];
  /** Whether replies leave by a server of the mailbox; else by the installation's. */
  sendsItself: boolean;
  outbound: ServerDraft;
  sendingSignIn: (typeof sendingSignIns)[number];
  sendingUsername: string;
  sendingPassword: string;
}

const IMAPS: ServerDraft = { host: "", port: "993", security: "tls" };
const SMTPS: ServerDraft = { host: "", port: "465", security: "tls" };

export const emptyDraft: MailboxDraft = {
  ...{ address: "", password: "", kind: "imap", inbound: IMAPS, username: "", folder: "INBOX", afterImport: "leave" },
  ...{ sendsItself: true, outbound: SMTPS, sendingSignIn: "same", sendingUsername: "", sendingPassword: "" },
};

/** An account's settings as they are edited. */
export function draftOf({ address = "", inbound, outbound }: ChannelSettings): MailboxDraft {
  const username = inbound?.username ?? "";
  const sendingUsername = outbound?.username ?? null;
  const isSame = inbound?.kind === "imap" && sendingUsername === username;
  return {
    ...emptyDraft,
    address,
    kind: inbound?.kind ?? emptyDraft.kind,
    inbound: serverDraft(inbound, IMAPS),
    username: username === address ? "" : username,
    folder: inbound?.folder ?? emptyDraft.folder,
    afterImport: inbound?.after_import ?? emptyDraft.afterImport,
    sendsItself: Boolean(outbound),
    outbound: serverDraft(outbound, SMTPS),
    sendingSignIn: isSame || !outbound ? "same" : sendingUsername === null ? "none" : "own",
    sendingUsername: isSame ? "" : (sendingUsername ?? ""),
  };
}

/** The draft with the servers that were found for its address. */
export function withServers(draft: MailboxDraft, { inbound, outbound }: FoundMailServers): MailboxDraft {
  return { ...draft, inbound: serverDraft(inbound, IMAPS), outbound: serverDraft(outbound, SMTPS) };
}

/** All settings of a mailbox; a password that is not entered is left out. */
export function settingsOf(draft: MailboxDraft): ChannelSettingsChange {
  const address = draft.address.trim();
  return { address, inbound: inboundOf(draft, address), outbound: outboundOf(draft, address) };
}

/** The settings that differ from those that are stored, and the passwords that are entered. */
export function changedSettings(draft: MailboxDraft, was: MailboxDraft): ChannelSettingsChange {
  const [before, now] = [settingsOf({ ...was, password: "", sendingPassword: "" }), settingsOf(draft)];
  const names = Object.keys(now) as (keyof ChannelSettingsChange)[];
  return Object.fromEntries(
    names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name])).map((name) => [name, now[name]]),
  ) as ChannelSettingsChange;
}

function inboundOf(draft: MailboxDraft, address: string): NonNullable<ChannelSettingsChange["inbound"]> {
  if (draft.kind === "http") return { kind: "http" };
  const { folder, afterImport, password, inbound } = draft;
  return {
    ...{ kind: "imap", ...serverOf(inbound), username: draft.username.trim() || address },
    ...(password && { password }),
    ...{ folder: folder.trim() || emptyDraft.folder, after_import: afterImport },
  };
}

function outboundOf(draft: MailboxDraft, address: string): NonNullable<ChannelSettingsChange["outbound"]> | null {
  if (!draft.sendsItself) return null;
  const server = serverOf(draft.outbound);
  const signIn = signInOf(draft);
  if (signIn === "none") return { ...server, username: null };
  const isSame = signIn === "same";
  const username = (isSame ? draft.username : draft.sendingUsername).trim() || address;
  const password = isSame ? draft.password : draft.sendingPassword;
  return { ...server, username, ...(password && { password }) };
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
