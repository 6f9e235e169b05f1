import type { Operation } from "../context.ts";
import { channelAccountById } from "./channel-account-store.ts";

/** Has an account that is failing tried as a whole, in the background: something of it has worked. */
export const tryAccountAgain: Operation<{ accountId: string }, void> = {
  name: "try-account-again",
  mode: "write",
  async run(ctx, { accountId }) {
    const row = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: accountId });
    if (row?.state !== "failing" || row.deleted_at !== null) return;
    ctx.enqueue({ kind: "try-channel-account", payload: { accountId: row.id }, queueKey: row.id });
  },
};
