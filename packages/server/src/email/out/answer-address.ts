import { accountsOfChannel } from "../../channels/channel-account-store.ts";
import type { Context } from "../../context.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { mailAccountSettings } from "../in/mail-account-settings.ts";
import { insertMailToken } from "../in/mail-store.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { newReplyToken, replyAddress, replyTokenHash } from "../rules/reply-token.ts";

/** The states in which a mailbox takes answers, now or as soon as its server is back. */
const TAKES_MAIL: readonly string[] = ["active", "failing"];

/**
 * The address to which a mail about a chat is answered: of a mailbox of the same brand, with a token that leads the answer of this
 * recipient, and of nobody else, into the chat (docs/decisions/0061-answers-to-chat-mails.md). Undefined without such a mailbox.
 */
export async function answerAddress(
  ctx: Context,
  { id: conversation_id, widget_id }: Pick<ConversationRow, "id" | "widget_id">,
  recipient: string,
): Promise<string | undefined> {
  const accounts = await ctx.db.all(accountsOfChannel, { team_id: ctx.teamId, channel: "email" });
  const token = newReplyToken(ctx.random);
  const address = accounts
    .filter(({ state, home_widget_id }) => home_widget_id === widget_id && TAKES_MAIL.includes(state))
    .map((account) => mailAccountSettings(account))
    .filter(({ plusAddressing }) => plusAddressing)
    .map((settings) => replyAddress(settings.address, token))
    .find((each) => each !== undefined);
  if (address === undefined) return undefined;
  ctx.write(insertMailToken, {
    ...{ team_id: ctx.teamId, conversation_id, token_hash: replyTokenHash(token), address: foldAddress(recipient) },
  });
  return address;
}
