import type { Channel } from "@frontdesk/core/domain/channel";
import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import type { ChannelAccount } from "./channel-account.ts";
import { channelAccountById } from "./channel-account-store.ts";

/**
 * A channel account of the team that is not deleted.
 *
 * @throws Refusal `not-found`, the same for a missing one, a deleted one, another team's, and a text that is not an id
 */
export async function findChannelAccount(
  ctx: Context,
  accountId: string,
): Promise<{ row: ChannelAccountRow; account: ChannelAccount }> {
  const id = canonicalId(accountId);
  const found = id && (await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id }));
  if (!found || found.deleted_at !== null) throw notFound("channel");
  const { home_widget_name, ...row } = found;
  const homeWidget = { id: row.home_widget_id, name: home_widget_name };
  return { row, account: { id: row.id, channel: row.channel as Channel, homeWidget } };
}
