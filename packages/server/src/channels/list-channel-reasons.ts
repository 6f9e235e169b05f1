import type { Operation } from "../context.ts";
import { accountsInTrouble } from "./channel-account-store.ts";
import { type SaidReason, saidReason } from "./stored-reason.ts";

/** What is wrong with the team's channel accounts that cannot receive or send as they are, by name where it is known. */
export const listChannelReasons: Operation<object, ({ id: string } & SaidReason)[]> = {
  name: "list-channel-reasons",
  mode: "read",
  async run(ctx) {
    const rows = await ctx.db.all(accountsInTrouble, { team_id: ctx.teamId });
    return rows.map((row) => ({ id: row.id, ...saidReason(row.state_reason, row.state_reason_named) }));
  },
};
