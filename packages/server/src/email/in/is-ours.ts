import { externalMessage } from "../../channels/external-message-store.ts";
import type { Context } from "../../context.ts";
import { conversationOfToken, sentMail } from "./mail-store.ts";

/**
 * Whether a mail is one that this team has sent, a copy of it, or one of ours that came back through a list: by the ids that it has
 * or had, and by hashes of tokens that only our mails have.
 */
export async function isOurs(
  ctx: Context,
  account_id: string,
  { headerIds, ownTokens }: { headerIds: readonly string[]; ownTokens: readonly string[] },
): Promise<boolean> {
  const { teamId: team_id } = ctx;
  for (const header_id of headerIds) {
    if (await ctx.db.first(sentMail, { team_id, header_id })) return true;
    // Under the id that a relay has given it.
    if (await ctx.db.first(externalMessage, { team_id, account_id, external_id: header_id, direction: "out" }))
      return true;
  }
  for (const token_hash of ownTokens) {
    if (await ctx.db.first(conversationOfToken, { team_id, token_hash })) return true;
  }
  return false;
}
