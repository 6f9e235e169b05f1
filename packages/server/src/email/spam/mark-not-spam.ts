import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Operation } from "../../context.ts";
import { importInOrder } from "../in/mail-import.ts";
import { findSpam } from "./find-spam.ts";
import { storeAgain } from "./spam-store.ts";

/**
 * A mail is no spam after all: it is imported as any other, after the commit, or once its account is active again. A repeat finds none.
 *
 * @throws Refusal `not-found`
 */
export const markNotSpam: Operation<{ spamId: string }, { isPaused: boolean }> = {
  name: "mark-not-spam",
  mode: "write",
  async run(ctx, { spamId }) {
    const { account_id, key } = await findSpam(ctx, spamId);
    const { row: account } = await findChannelAccount(ctx, account_id);
    ctx.write(storeAgain, { team_id: ctx.teamId, account_id, key, now: ctx.now });
    ctx.enqueue(importInOrder("stored", account_id));
    return { isPaused: account.state === "paused" };
  },
};
