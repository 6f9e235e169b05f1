import type { ChannelSettingsChange } from "@frontdesk/core/contract/channel-settings";
import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import { invalid, Refusal } from "@frontdesk/core/domain/refusal";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import { findWidget } from "../widgets/find-widget.ts";
import { type AccountParts, requireSettingsOf } from "./account-settings.ts";
import { insertDoor } from "./channel-account-store.ts";
import { createChannelAccount } from "./create-channel-account.ts";
import { doorHash, newDoorSecret } from "./door-secret.ts";
import type { ShownAccount } from "./shown-account.ts";

export interface NewChannel {
  channel: ChannelToGrant;
  widgetId: string;
  name: string | null;
  settings: ChannelSettingsChange;
}

/**
 * Connects an account of a channel. The answer does not wait for its servers: a job tries it. A repeat is refused, because the
 * address is taken.
 *
 * @throws Refusal `invalid` on `widget_id`, on paths of settings, and on the field with the address when it is taken
 */
export const createChannel: Operation<NewChannel, ShownAccount> = {
  name: "create-channel",
  mode: "write",
  async run(ctx, { channel, widgetId, name, settings: given }) {
    const rules = requireSettingsOf(channel);
    const parts = await partsOfNew(ctx, { channel, widgetId, settings: given });
    const providerKey = rules.providerKey(parts.settings);
    const account = { channel, name, homeWidgetId: widgetId, providerKey, ...plain(parts) };
    const row = await createChannelAccount
      .run(ctx, account)
      .catch((error) => refuseTaken(error, rules.providerKeyField));
    const { door } = parts.secrets;
    if (door !== undefined) {
      ctx.write(insertDoor, { secret_hash: doorHash(door), team_id: ctx.teamId, account_id: row.id });
    }
    ctx.enqueue({ kind: "try-channel-account", payload: { accountId: row.id }, queueKey: row.id });
    audit(ctx, { channel: auditedChannel(row) });
    ctx.record({ name: "channel.created", account: row });
    return { row, parts };
  },
};

/** @throws Refusal `invalid` on `widget_id` and on paths of settings */
export async function partsOfNew(
  ctx: Context,
  { channel, widgetId, settings }: Pick<NewChannel, "channel" | "widgetId" | "settings">,
): Promise<AccountParts> {
  await findWidget(ctx, widgetId).catch((error) => {
    if (error instanceof Refusal && error.reason.name === "not-found") throw invalid({ widget_id: "no-such-widget" });
    throw error;
  });
  return requireSettingsOf(channel).change(undefined, settings, {
    hosts: ctx.channelHosts,
    newDoor: () => newDoorSecret(ctx.random),
  });
}

/** An account in the audit log. */
export const auditedChannel = ({ id, channel, name, provider_key }: ChannelAccountRow): object => ({
  id,
  name: name ?? provider_key,
  channel,
});

/** The provider's name is one of the settings: the refusal names that field. */
function refuseTaken(error: unknown, field: string): never {
  if (error instanceof Refusal && error.fields?.provider_key) throw invalid({ [field]: "account-connected" });
  throw error;
}

const plain = ({ settings, secrets }: AccountParts) => ({ settings: settings as Record<string, unknown>, secrets });
