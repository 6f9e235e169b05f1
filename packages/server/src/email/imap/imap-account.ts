import type { Vault } from "../../access/vault.ts";
import { channelSecretsPlace } from "../../channels/channel-account.ts";
import type { ChannelAccountRow } from "../../storage/tables.ts";
import { type AfterImport, readEmailSettings, type StoredEmailSettings } from "../email-settings.ts";
import { clientOf } from "../oauth/client-of.ts";
import type { OAuthClient } from "../oauth/token-requests.ts";

/** What reading a mailbox by IMAP needs of its account. */
export interface ImapAccount {
  teamId: string;
  accountId: string;
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
  username: string;
  /** Undefined with `oauth`. */
  password?: string | undefined;
  /** What obtains the tokens that it is signed in to with. */
  oauth?: OAuthClient | undefined;
  folder: string;
  afterImport: AfterImport;
  /** Whether its folder of sent mails is followed. */
  sentFolder: boolean;
}

export type ImapRow = Pick<
  ChannelAccountRow,
  "team_id" | "id" | "channel" | "state" | "settings" | "secrets_sealed" | "deleted_at"
>;

/**
 * The mailbox of an account; undefined when it is not to be read by IMAP: another channel or way in, paused, deleted, or
 * without its password.
 *
 * @throws when its secrets cannot be opened
 */
export function imapAccountOf(row: ImapRow, vault: Vault): ImapAccount | undefined {
  if (row.channel !== "email" || row.deleted_at !== null || row.state === "paused") return undefined;
  const stored = JSON.parse(row.settings) as Partial<StoredEmailSettings>;
  if (stored.inbound?.kind !== "imap" || row.secrets_sealed === null) return undefined;
  const secrets = JSON.parse(vault.open(row.secrets_sealed, channelSecretsPlace(row))) as Record<string, string>;
  const settings = readEmailSettings(stored);
  if (settings.inbound.kind !== "imap") return undefined;
  const { kind: _, auth, ...mailbox } = settings.inbound;
  const itself = { teamId: row.team_id, accountId: row.id, ...mailbox };
  if (auth === "oauth") {
    const oauth = clientOf(settings, secrets);
    return oauth && { ...itself, oauth };
  }
  const password = secrets[INBOUND_PASSWORD];
  return password === undefined ? undefined : { ...itself, password };
}

/** Its name among the secrets of an account. */
export const INBOUND_PASSWORD = "inbound_password";
