import type { ChannelFinding } from "@frontdesk/core/contract/rest/channels";
import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import { channelSentence } from "@frontdesk/core/domain/channel-reason";
import { unavailable } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../access/actor.ts";
import type { Context, Operation } from "../context.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { Perform } from "../perform.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import { requireSettingsOf } from "./account-settings.ts";
import { channelAccountById } from "./channel-account-store.ts";
import type { DrivenAccount, Finding } from "./channel-driver.ts";
import { type NewChannel, partsOfNew } from "./create-channel.ts";
import { drivenAccount } from "./driven-account.ts";
import { noteAccountState } from "./note-account-state.ts";
import { findShownAccount } from "./shown-account.ts";

/** For all that is tried of an account. */
export const CHECK_TIMEOUT_MS = 30_000;

/** An account to try, outside of any transaction. */
export interface AccountToCheck {
  channel: ChannelToGrant;
  account: DrivenAccount;
}

/** Tries an account: connects to its servers and signs in. Changes nothing, and never rejects because of the other side. */
export type CheckAccount = (tried: AccountToCheck, signal: AbortSignal) => Promise<Finding[]>;

/** Opens an account of the team, to try it. */
export const checkChannel: Operation<{ accountId: string }, AccountToCheck> = {
  name: "check-channel",
  mode: "read",
  async run(ctx, { accountId }) {
    const { row } = await findShownAccount(ctx, accountId);
    return toCheck(ctx, row);
  },
};

/** Reads the settings of an account that is not saved, to try it. Throws as `create-channel` does, but for an address that is taken. */
export const checkNewChannel: Operation<Omit<NewChannel, "name">, AccountToCheck> = {
  name: "check-new-channel",
  mode: "read",
  async run(ctx, asked) {
    const { settings, secrets } = await partsOfNew(ctx, asked);
    const { channel } = asked;
    const itself = { team_id: ctx.teamId, id: ctx.newId() };
    const provider_key = requireSettingsOf(channel).providerKey(settings);
    return { channel, account: { ...itself, provider_key, settings: { ...settings }, secrets } };
  },
};

/** Opens an account to try it in the background; undefined when it is deleted. */
export const openChannelAccount: Operation<
  { accountId: string },
  (AccountToCheck & { tried: Pick<ChannelAccountRow, "settings" | "secrets_sealed"> }) | undefined
> = {
  name: "open-channel-account",
  mode: "read",
  async run(ctx, { accountId }) {
    const row = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: accountId });
    if (!row || row.deleted_at !== null) return undefined;
    return { ...toCheck(ctx, row), tried: { settings: row.settings, secrets_sealed: row.secrets_sealed } };
  },
};

/** Tries an account that was created or changed, and notes its state. */
export function tryChannelAccountJob(parts: {
  perform(): Perform;
  check: CheckAccount;
}): JobHandler<"try-channel-account"> {
  return async ({ accountId }, { teamId, signal }) => {
    const system: SystemActor = { kind: "system", teamId };
    const opened = await parts.perform()(system, openChannelAccount, { accountId });
    if (!opened) return;
    const findings = await parts.check(opened, AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]));
    // Because this process stops: tried again by the next one.
    signal.throwIfAborted();
    const problem = findings.find(({ ok }) => !ok);
    await parts.perform()(system, noteAccountState, {
      ...{ accountId, tried: opened.tried },
      state: !problem ? "active" : isSignIn(problem) ? "needs-sign-in" : "failing",
      reason: problem?.reason ?? null,
    });
  };
}

/** A finding as the REST API shows it. */
export const presentFinding = ({ check, ok, reason }: Finding): ChannelFinding => ({
  ...{ check, ok, message: channelSentence(reason) },
});

const isSignIn = ({ check }: Finding): boolean => check.endsWith("-sign-in");

function toCheck({ vault }: Pick<Context, "vault">, row: ChannelAccountRow): AccountToCheck {
  const account = drivenAccount(row, vault);
  if (!account) throw unavailable(1);
  return { channel: row.channel as ChannelToGrant, account };
}
