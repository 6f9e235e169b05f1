import type { ChannelSettings, ChannelSettingsChange } from "@frontdesk/core/contract/channel-settings";
import { notFound } from "@frontdesk/core/domain/refusal";
import { emailAccountSettings } from "../email/email-account-settings.ts";
import type { ChannelHosts } from "../outbound/channel-hosts.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";

/** The settings and secrets of an account, as they are stored. */
export interface AccountParts {
  settings: object;
  secrets: Readonly<Record<string, string>>;
}

/** What the settings of a channel's accounts are. */
export interface AccountSettings {
  /**
   * Those of an account after a change; of a new one without `before`.
   *
   * @param tools.newDoor a new secret for the callback address
   * @throws Refusal `invalid` with the paths of fields
   */
  change(
    before: AccountParts | undefined,
    given: ChannelSettingsChange,
    tools: { hosts: ChannelHosts; newDoor: () => string },
  ): AccountParts;
  /** The provider's id of the account, unique over all teams; the field that it is in. */
  providerKey(settings: object): string;
  providerKeyField: string;
  /** As the REST API shows them: without secrets. */
  show(parts: AccountParts): ChannelSettings;
  address(settings: object): string;
  /** Whether a change lets more messages go in a time: what waits is due then. */
  sendsMore(before: object, after: object): boolean;
  /** The path of the callback address, below PUBLIC_URL; null when there is none. */
  callbackPath(parts: AccountParts): string | null;
}

/** One a channel whose accounts are made by REST. */
const byChannel: Readonly<Record<string, AccountSettings>> = { email: emailAccountSettings };

/** Undefined for a channel whose accounts are not set up by REST. */
export const settingsOfChannel = (channel: string): AccountSettings | undefined =>
  Object.hasOwn(byChannel, channel) ? byChannel[channel] : undefined;

/** What an account is known by outside: the address of a mailbox, the provider's id of others; null for a widget's. */
export function accountAddress({
  channel,
  settings,
  provider_key,
}: Pick<ChannelAccountRow, "channel" | "settings" | "provider_key">): string | null {
  return settingsOfChannel(channel)?.address(JSON.parse(settings)) ?? provider_key;
}

/** @throws Refusal `not-found` for a channel whose accounts are not set up by REST */
export function requireSettingsOf(channel: string): AccountSettings {
  const settings = settingsOfChannel(channel);
  if (!settings) throw notFound("channel");
  return settings;
}
