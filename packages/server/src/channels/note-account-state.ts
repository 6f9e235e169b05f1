import { type ChannelReason, type ChannelReasonName, channelReasonText } from "@frontdesk/core/domain/channel-reason";
import type { Operation } from "../context.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import type { ChannelAccountState } from "./channel-account.ts";
import { type AccountTrouble, channelAccountById, updateAccountState } from "./channel-account-store.ts";
import { accountQueue } from "./queue-reply.ts";
import { watchTrouble } from "./report-trouble.ts";
import { resumeQueue } from "./resume-queue.ts";
import { parsedReason, storedReason } from "./stored-reason.ts";

export interface NotedAccountState {
  accountId: string;
  state: Exclude<ChannelAccountState, "paused">;
  /** What is wrong and what to do. Null when it is active. */
  reason: ChannelReason | null;
  /** The settings that were tried: nothing is noted when they are others by now. */
  tried?: Pick<ChannelAccountRow, "settings" | "secrets_sealed">;
  /** All reasons of the part that notes it: that this part works ends no trouble of another one. */
  ownReasons?: readonly ChannelReasonName[];
}

/**
 * Notes what trying or using an account has shown. A paused account stays paused, and a deleted one deleted. Replies wait while a
 * sign-in is needed, and are sent when it is not any more. Admins get an e-mail when it lasts.
 */
export const noteAccountState: Operation<NotedAccountState, void> = {
  name: "note-account-state",
  mode: "write",
  async run(ctx, { accountId, state, reason, tried, ownReasons }) {
    const row = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: accountId });
    if (!row || row.deleted_at !== null || row.state === "paused") return;
    if (tried && (tried.settings !== row.settings || tried.secrets_sealed !== row.secrets_sealed)) return;
    const { sentence, named } = storedReason(reason);
    if (row.state === state && row.state_reason === sentence && row.state_reason_named === named) return;
    if (state === "active" && ownReasons && !ownReasons.some((own) => isReasonOf(row, own))) return;
    const noted = { state, state_reason: sentence, state_reason_named: named };
    ctx.write(updateAccountState, { team_id: ctx.teamId, id: row.id, ...noted });
    if (row.state !== state) await watchTrouble(ctx, row, state);
    if (state === "needs-sign-in") ctx.haltQueue(accountQueue(row.id));
    else if (state === "active" || row.state === "needs-sign-in") resumeQueue(ctx, row.id);
  },
};

/** One that was noted before reasons were named is recognised by its sentence. */
function isReasonOf({ state_reason, state_reason_named }: AccountTrouble, name: ChannelReasonName): boolean {
  if (state_reason_named === null) return state_reason === channelReasonText[name];
  return parsedReason(state_reason_named)?.name === name;
}
