import type { Vault } from "../../access/vault.ts";
import { channelSecretsPlace } from "../../channels/channel-account.ts";
import type { ChannelAccountRow } from "../../storage/tables.ts";

export type AfterImport = "leave" | "flag" | "archive";

/** What reading a mailbox by IMAP needs of its account. */
export interface ImapAccount {
  teamId: string;
  accountId: string;
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
  username: string;
  password: string;
  folder: string;
  afterImport: AfterImport;
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
  const { inbound } = JSON.parse(row.settings) as {
    inbound?: Partial<ImapAccount & { kind: string; after_import: AfterImport }>;
  };
  if (inbound?.kind !== "imap" || row.secrets_sealed === null) return undefined;
  const secrets = JSON.parse(vault.open(row.secrets_sealed, channelSecretsPlace(row))) as Record<string, string>;
  const { host, port, security = "tls", username, folder = "INBOX", after_import: afterImport = "leave" } = inbound;
  const password = secrets[INBOUND_PASSWORD];
  if (!host || !port || !username || password === undefined) return undefined;
  return { teamId: row.team_id, accountId: row.id, host, port, security, username, password, folder, afterImport };
}

/** Its name among the secrets of an account. */
export const INBOUND_PASSWORD = "inbound_password";
