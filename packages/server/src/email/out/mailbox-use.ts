import { actorOfKind } from "../../access/actor.ts";
import { findShownAccount } from "../../channels/shown-account.ts";
import type { Context, Operation } from "../../context.ts";
import type { ItemState } from "../../outbox/outbox-item.ts";
import { readEmailSettings } from "../email-settings.ts";
import { itemsWaiting, newestEnded } from "./mailbox-use-store.ts";

const DAY_MS = 86_400_000;

/** How much of its daily limit a mailbox has used. */
export interface MailboxUse {
  /** In the last 24 hours; no more are counted than the limit. */
  sent: number;
  limit: number;
  waiting: number;
}

/** When the account has sent mails in the last 24 hours, ms since the epoch, the newest ones up to `limit`. */
export const mailsSentOfDay: Operation<{ limit: number }, number[]> = {
  name: "mails-sent-of-day",
  mode: "read",
  run: (ctx, { limit }) => sentOfDay(ctx, actorOfKind(ctx.actor, "channel").accountId, limit),
};

/** @throws Refusal `not-found` */
export const getMailboxUse: Operation<{ accountId: string }, MailboxUse> = {
  name: "get-mailbox-use",
  mode: "read",
  async run(ctx, { accountId }) {
    const { row } = await findShownAccount(ctx, accountId);
    const { dailyLimit: limit } = readEmailSettings(JSON.parse(row.settings));
    const of = { team_id: ctx.teamId, queue_id: row.id };
    const [sent, waiting] = await Promise.all([sentOfDay(ctx, row.id, limit), ctx.db.first(itemsWaiting, of)]);
    return { sent: sent.length, limit, waiting: waiting?.total ?? 0 };
  },
};

async function sentOfDay(ctx: Context, queue_id: string, limit: number): Promise<number[]> {
  const ended = await ctx.db.all(newestEnded, { team_id: ctx.teamId, queue_id, since: ctx.now - DAY_MS, limit });
  return ended.flatMap(({ state, ended_at }) =>
    state === ("delivered" satisfies ItemState) && ended_at !== null ? [ended_at] : [],
  );
}
