import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { followMailbox } from "../email/imap/follow-mailbox.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import { findWidget } from "../widgets/find-widget.ts";
import { type ChannelAccountState, channelSecretsPlace } from "./channel-account.ts";
import { insertChannelAccount, insertIntoDirectory } from "./channel-account-store.ts";

export interface NewChannelAccount {
  channel: ChannelToGrant;
  name: string | null;
  homeWidgetId: string;
  /** The provider's id of the account; a driver knows which of its settings that is. */
  providerKey: string;
  settings: Readonly<Record<string, unknown>>;
  secrets?: Readonly<Record<string, string>> | undefined;
}

/**
 * Creates an account of a channel other than the website; a widget creates its own (`create-widget.ts`). A provider's account
 * belongs to one team: a second time is refused, in this team or another. docs/decisions/0040-channel-accounts.md
 *
 * @throws Refusal `not-found` for the widget, `invalid` on `provider_key`
 */
export const createChannelAccount: Operation<NewChannelAccount, ChannelAccountRow> = {
  name: "create-channel-account",
  mode: "write",
  async run(ctx, { channel, name, homeWidgetId, providerKey, settings, secrets }) {
    const widget = await findWidget(ctx, homeWidgetId);
    const itself = { team_id: ctx.teamId, id: ctx.newId() };
    const entry = { channel, provider_key: providerKey, team_id: ctx.teamId, account_id: itself.id };
    const taken = await ctx.db.run(insertIntoDirectory, entry);
    if (taken === 0) throw invalid({ provider_key: "account-connected" });
    const account: ChannelAccountRow = {
      ...itself,
      channel,
      name,
      home_widget_id: widget.id,
      state: "active" satisfies ChannelAccountState,
      state_reason: null,
      state_reason_named: null,
      provider_key: providerKey,
      settings: JSON.stringify(settings),
      secrets_sealed: secrets ? ctx.vault.seal(JSON.stringify(secrets), channelSecretsPlace(itself)) : null,
      last_received_at: null,
      last_sent_at: null,
      created_at: ctx.now,
      deleted_at: null,
    };
    ctx.write(insertChannelAccount, account);
    followMailbox(ctx, account);
    return account;
  },
};
