import { type Channel, WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import type { SealedPlace } from "../access/vault.ts";
import type { ChannelAccountRow, WidgetRow } from "../storage/tables.ts";

/**
 * ```
 *            an admin                the provider refuses the sign-in, or everything
 *   paused <----------> active <-----------------------------------------------------> needs-sign-in, failing
 * ```
 * A deleted account keeps the state that it had; `deleted_at` ends it.
 */
export const channelAccountStates = ["active", "paused", "needs-sign-in", "failing"] as const;
export type ChannelAccountState = (typeof channelAccountStates)[number];

/** `last_received_at` and `last_sent_at` are for people; they are written at most this often. */
export const ACCOUNT_TIMES_STEP_MS = 60_000;

/** What a conversation needs of the account that it belongs to. */
export interface ChannelAccount {
  id: string;
  channel: Channel;
  /** The brand: the widget that its contacts belong to, and that events of its conversations name. */
  homeWidget: Pick<WidgetRow, "id" | "name">;
}

/** The account of a widget. */
export function accountOfWidget({ id, name }: Pick<WidgetRow, "id" | "name">): ChannelAccount {
  return { id, channel: WIDGET_CHANNEL, homeWidget: { id, name } };
}

/** What the secrets of an account are sealed for. */
export const channelSecretsPlace = ({ team_id, id }: Pick<ChannelAccountRow, "team_id" | "id">): SealedPlace => ({
  column: "channel_accounts.secrets_sealed",
  teamId: team_id,
  id,
});
