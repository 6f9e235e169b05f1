import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import { accountPage, accountTotal } from "./channel-account-store.ts";
import { findShownAccount, type ShownAccount, shownAccount } from "./shown-account.ts";

/** The team's channel accounts, oldest first, without the widgets. */
export const listChannels: Operation<PageRequest, Listed<ShownAccount>> = {
  name: "list-channels",
  mode: "read",
  async run(ctx, page) {
    const [counted, rows] = await Promise.all([
      ctx.db.first(accountTotal, { team_id: ctx.teamId }),
      ctx.db.all(accountPage, { team_id: ctx.teamId, ...pageWindow(page) }),
    ]);
    return { rows: rows.map((row) => shownAccount(ctx, row)), total: counted?.total ?? 0 };
  },
};

/** @throws Refusal `not-found` */
export const getChannel: Operation<{ accountId: string }, ShownAccount> = {
  name: "get-channel",
  mode: "read",
  run: (ctx, { accountId }) => findShownAccount(ctx, accountId),
};
