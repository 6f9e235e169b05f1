import { WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import type { ChannelAccountState } from "../channels/channel-account.ts";
import { insertChannelAccount } from "../channels/channel-account-store.ts";
import type { Operation } from "../context.ts";
import type { ChannelAccountRow, WidgetRow } from "../storage/tables.ts";
import { insertInWidgetDirectory, insertWidget } from "./widget-store.ts";

/** Creates a widget, which is a channel account with the same id. A repeat creates another one. */
export const createWidget: Operation<{ name: string | null }, WidgetRow> = {
  name: "create-widget",
  mode: "write",
  async run(ctx, { name }) {
    const widget: WidgetRow = {
      team_id: ctx.teamId,
      id: ctx.newId(),
      name,
      icon: null,
      settings: null,
      created_at: ctx.now,
      identity_secret_sealed: null,
      identity_secret_at: null,
      first_seen_at: null,
      last_seen_at: null,
      seen_on: null,
      removed_at: null,
    };
    ctx.write(insertWidget, widget);
    ctx.write(insertInWidgetDirectory, { widget_id: widget.id, team_id: widget.team_id });
    ctx.write(insertChannelAccount, accountRowOf(widget));
    ctx.count("widgets", 1);
    ctx.record({ name: "widget.created", widget });
    return widget;
  },
};

function accountRowOf({ team_id, id, created_at }: WidgetRow): ChannelAccountRow {
  return {
    ...{ team_id, id, home_widget_id: id, created_at },
    channel: WIDGET_CHANNEL,
    state: "active" satisfies ChannelAccountState,
    settings: "{}",
    ...{ name: null, state_reason: null, state_reason_named: null, provider_key: null, secrets_sealed: null },
    ...{ last_received_at: null, last_sent_at: null, deleted_at: null },
  };
}
