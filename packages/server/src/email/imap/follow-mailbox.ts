import type { Context } from "../../context.ts";
import type { ChannelAccountRow } from "../../storage/tables.ts";
import { markMailboxDue } from "./mail-folder-store.ts";

/** To be called in every commit that creates, changes, pauses, resumes or deletes an account: its reader follows. */
export function followMailbox(ctx: Context, { id, channel }: Pick<ChannelAccountRow, "id" | "channel">): void {
  if (channel === "email") ctx.write(markMailboxDue, { team_id: ctx.teamId, account_id: id });
}
