import type { ChannelAccountRow } from "../../storage/tables.ts";

/** The settings of an e-mail account that its incoming mails need. */
export interface MailAccountSettings {
  /** The mailbox's own address. */
  address: string;
  /** An answer to a conversation that was resolved this many days ago begins a new one; null: never. */
  reopen_days: number | null;
}

export function mailAccountSettings({ settings }: Pick<ChannelAccountRow, "settings">): MailAccountSettings {
  const { address = "", reopen_days = null } = JSON.parse(settings) as Partial<MailAccountSettings>;
  return { address, reopen_days };
}
