import type { ChannelAccountRow } from "../../storage/tables.ts";
import { accountAuthservId, type StoredEmailSettings } from "../email-settings.ts";

/** The settings of an e-mail account that its incoming mails need. */
export interface MailAccountSettings {
  /** The mailbox's own address. */
  address: string;
  /** An answer to a conversation that was resolved this many days ago begins a new one; null: never. */
  reopenDays: number | null;
  /** `EmailSettings.authservId` */
  authservId: string | null;
}

export function mailAccountSettings({ settings }: Pick<ChannelAccountRow, "settings">): MailAccountSettings {
  const stored = JSON.parse(settings) as Partial<StoredEmailSettings>;
  return {
    address: stored.address ?? "",
    reopenDays: stored.reopen_days ?? null,
    authservId: accountAuthservId(stored),
  };
}
