import type { ChannelSettingsChange } from "@frontdesk/core/contract/channel-settings";
import { invalid, nothingToChange } from "@frontdesk/core/domain/refusal";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import { followMailbox } from "../email/imap/follow-mailbox.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import { type AccountParts, requireSettingsOf } from "./account-settings.ts";
import { channelSecretsPlace } from "./channel-account.ts";
import {
  deleteDoors,
  deleteFromDirectory,
  insertDoor,
  insertIntoDirectory,
  updateChannelAccount,
} from "./channel-account-store.ts";
import { auditedChannel } from "./create-channel.ts";
import { doorHash, newDoorSecret } from "./door-secret.ts";
import { resumeQueue } from "./resume-queue.ts";
import { setChannelAccountState } from "./set-channel-account-state.ts";
import { findShownAccount, type ShownAccount } from "./shown-account.ts";

export interface ChannelChange {
  name?: string | null | undefined;
  state?: "active" | "paused" | undefined;
  settings?: ChannelSettingsChange | undefined;
}

/**
 * Changes the given fields, at least one; settings are merged by the channel's own rules, and tried by a job. Values that are so
 * already change nothing.
 *
 * @throws Refusal `not-found`; `invalid` on paths of settings, and on the field with the address when it is taken
 */
export const updateChannel: Operation<{ accountId: string; change: ChannelChange }, ShownAccount> = {
  name: "update-channel",
  mode: "write",
  async run(ctx, { accountId, change }) {
    const before = await findShownAccount(ctx, accountId);
    if (!namesAnything(change)) throw nothingToChange(["name", "state", "settings"]);
    const parts = change.settings ? changedParts(ctx, before, change.settings) : before.parts;
    const row = changedRow(ctx, before, parts, change.name);
    const isNew = row.settings !== before.row.settings || row.secrets_sealed !== before.row.secrets_sealed;
    if (row.provider_key !== before.row.provider_key) await takeProviderKey(ctx, row);
    if (isNew || row.name !== before.row.name) ctx.write(updateChannelAccount, row);
    if (isNew) followMailbox(ctx, row);
    if (requireSettingsOf(row.channel).sendsMore(before.parts.settings, parts.settings)) resumeQueue(ctx, row.id);
    if (parts.secrets.door !== before.parts.secrets.door) replaceDoor(ctx, row.id, parts.secrets.door);
    const state = change.state ?? row.state;
    if (change.state) await setChannelAccountState.run(ctx, { accountId: row.id, state: change.state });
    const activated = change.state === "active" && before.row.state !== "active";
    if (isNew || activated)
      ctx.enqueue({ kind: "try-channel-account", payload: { accountId: row.id }, queueKey: row.id });
    const fields = Object.keys(change).filter((name) => change[name as keyof ChannelChange] !== undefined);
    if (isNew || row.name !== before.row.name || state !== before.row.state) {
      audit(ctx, { channel: auditedChannel(row), fields });
    }
    // A change of the state is recorded where it is made.
    if ((isNew || row.name !== before.row.name) && state === before.row.state)
      ctx.record({ name: "channel.updated", account: row });
    const changed = { ...row, state, state_reason: null, state_reason_named: null };
    return { row: state === before.row.state ? row : changed, parts };
  },
};

/** Whether a change names a field that there is. */
function namesAnything({ name, state, settings }: ChannelChange): boolean {
  const known = Object.values(settings ?? {}).some((value) => value !== undefined);
  return name !== undefined || state !== undefined || known;
}

function changedParts(ctx: Context, { row, parts }: ShownAccount, given: ChannelSettingsChange): AccountParts {
  const tools = { hosts: ctx.channelHosts, newDoor: () => newDoorSecret(ctx.random) };
  return requireSettingsOf(row.channel).change(parts, given, tools);
}

function changedRow(
  ctx: Context,
  { row, parts: before }: ShownAccount,
  parts: AccountParts,
  name: string | null | undefined,
): ChannelAccountRow {
  if (parts === before) return { ...row, name: name === undefined ? row.name : name };
  const sameSecrets = JSON.stringify(parts.secrets) === JSON.stringify(before.secrets);
  return {
    ...row,
    name: name === undefined ? row.name : name,
    settings: JSON.stringify(parts.settings),
    provider_key: requireSettingsOf(row.channel).providerKey(parts.settings),
    // Sealing again gives other bytes for the same secrets.
    secrets_sealed: sameSecrets
      ? row.secrets_sealed
      : ctx.vault.seal(JSON.stringify(parts.secrets), channelSecretsPlace(row)),
  };
}

/** @throws Refusal `invalid` when it is taken, in this team or another */
async function takeProviderKey(ctx: Context, { id, channel, provider_key }: ChannelAccountRow): Promise<void> {
  if (provider_key === null) throw new Error("An account of a channel has a key.");
  const of = { team_id: ctx.teamId, account_id: id };
  const taken = await ctx.db.run(insertIntoDirectory, { ...of, channel, provider_key });
  if (taken === 0) throw invalid({ [requireSettingsOf(channel).providerKeyField]: "account-connected" });
  await ctx.db.run(deleteFromDirectory, of);
  await ctx.db.run(insertIntoDirectory, { ...of, channel, provider_key });
}

function replaceDoor(ctx: Context, accountId: string, door: string | undefined): void {
  const of = { team_id: ctx.teamId, account_id: accountId };
  ctx.write(deleteDoors, of);
  if (door !== undefined) ctx.write(insertDoor, { ...of, secret_hash: doorHash(door) });
}
