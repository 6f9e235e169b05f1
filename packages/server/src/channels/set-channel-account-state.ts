import { traitsOf } from "@frontdesk/core/domain/channel";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { followMailbox } from "../email/imap/follow-mailbox.ts";
import { importInOrder, waitingStates } from "../email/in/mail-import.ts";
import type { ChannelAccountState } from "./channel-account.ts";
import { updateAccountState } from "./channel-account-store.ts";
import { findChannelAccount } from "./find-channel-account.ts";
import { accountQueue } from "./queue-reply.ts";
import { resumeQueue } from "./resume-queue.ts";

export interface NewAccountState {
  accountId: string;
  state: Extract<ChannelAccountState, "active" | "paused">;
}

/**
 * Pauses an account, or activates it again. A paused account keeps the replies that wait; they are sent when it is active. What
 * is being sent meanwhile is aborted. A repeat changes nothing.
 *
 * @throws Refusal `not-found`, also for the account of a widget: it sends nothing
 */
export const setChannelAccountState: Operation<NewAccountState, void> = {
  name: "set-channel-account-state",
  mode: "write",
  async run(ctx, { accountId, state }) {
    const { row } = await findChannelAccount(ctx, accountId);
    if (traitsOf(row.channel).byWidget) throw notFound("channel");
    if (row.state === state) return;
    const reason = { state_reason: null, state_reason_named: null };
    ctx.write(updateAccountState, { team_id: ctx.teamId, id: row.id, state, ...reason });
    ctx.record({ name: "channel.updated", account: { ...row, state } });
    followMailbox(ctx, row);
    if (state === "paused") ctx.haltQueue(accountQueue(row.id));
    else {
      resumeQueue(ctx, row.id);
      // Mails that came in meanwhile.
      if (row.channel === "email") {
        for (const waiting of waitingStates) ctx.enqueue(importInOrder(waiting, row.id));
      }
    }
  },
};
