import type { ChannelAccountRow } from "../../storage/tables.ts";
import { type Acknowledgement, accountAuthservId, emailDefaults, type StoredEmailSettings } from "../email-settings.ts";
import type { WriterRules } from "../rules/who-wrote.ts";

/** The settings of an e-mail account that its incoming mails need. */
export interface MailAccountSettings {
  /** The mailbox's own address. */
  address: string;
  writers: WriterRules;
  /** An answer to a conversation that was resolved this many days ago begins a new one; null: never. */
  reopenDays: number | null;
  /** Whether answers can go to its address with a token in it. */
  plusAddressing: boolean;
  /** `EmailSettings.authservId` */
  authservId: string | null;
  /** `EmailSettings.acknowledgement` */
  acknowledgement: Acknowledgement | null;
}

export function mailAccountSettings({ settings }: Pick<ChannelAccountRow, "settings">): MailAccountSettings {
  const stored = JSON.parse(settings) as Partial<StoredEmailSettings>;
  return {
    address: stored.address ?? "",
    writers: {
      ownAddresses: [...(stored.address ? [stored.address] : []), ...(stored.aliases ?? [])],
      formAddresses: stored.form_senders ?? [],
    },
    reopenDays: stored.reopen_days ?? null,
    plusAddressing: stored.plus_addressing ?? emailDefaults.plusAddressing,
    authservId: accountAuthservId(stored),
    acknowledgement: stored.acknowledgement ?? null,
  };
}
