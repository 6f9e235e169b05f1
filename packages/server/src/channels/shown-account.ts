import { traitsOf } from "@frontdesk/core/domain/channel";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import type { AccountParts } from "./account-settings.ts";
import { drivenAccount } from "./driven-account.ts";
import { findChannelAccount } from "./find-channel-account.ts";

/** An account with its settings and secrets, for surfaces that answer whether a secret is set. */
export interface ShownAccount {
  row: ChannelAccountRow;
  parts: AccountParts;
}

/**
 * An account that is set up by REST: any but those of widgets.
 *
 * @throws Refusal `not-found`
 */
export async function findShownAccount(ctx: Context, accountId: string): Promise<ShownAccount> {
  const { row } = await findChannelAccount(ctx, accountId);
  if (traitsOf(row.channel).byWidget) throw notFound("channel");
  return shownAccount(ctx, row);
}

/** Secrets that cannot be opened, with a key that is lost, are as those that are not set. */
export function shownAccount({ vault }: Pick<Context, "vault">, row: ChannelAccountRow): ShownAccount {
  const driven = drivenAccount(row, vault);
  return { row, parts: { settings: JSON.parse(row.settings), secrets: driven?.secrets ?? {} } };
}
