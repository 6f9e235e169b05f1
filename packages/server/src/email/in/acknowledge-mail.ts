import type { ChannelAccount } from "../../channels/channel-account.ts";
import { channelAccountById } from "../../channels/channel-account-store.ts";
import type { Context } from "../../context.ts";
import { addSystemLine } from "../../conversations/add-system-line.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { MessageRow } from "../../storage/tables.ts";
import { readEmailSettings } from "../email-settings.ts";
import { keepReply, obstacleOf, prepareFirst, suppressedOf } from "../out/reply-by-mail.ts";
import { ownAddresses } from "../own-addresses.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { mayAcknowledge } from "../rules/may-acknowledge.ts";
import { conversationMessageId } from "../rules/message-ids.ts";
import { acknowledgementTexts } from "./acknowledgement-texts.ts";
import type { IncomingMail } from "./incoming-mail.ts";
import { mailAccountSettings } from "./mail-account-settings.ts";
import { mailsOfSender } from "./mail-import-store.ts";
import { ACKNOWLEDGED } from "./mail-line.ts";

const DAY_MS = 86_400_000;

/**
 * Answers the first mail of a conversation automatically, where the mailbox is set to. It is a system line and no reply: no event of
 * a message, nothing is read, and the conversation still waits. Subject and text are fixed, it goes to the sender alone, and it quotes
 * nothing: no one can have us send words of theirs to others.
 */
export async function acknowledgeMail(
  ctx: Context,
  account: ChannelAccount,
  mail: IncomingMail,
  { message, isFirst, isForwarded }: { message: MessageRow; isFirst: boolean; isForwarded: boolean },
): Promise<void> {
  const row = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: account.id });
  const acknowledgement = row && mailAccountSettings(row).acknowledgement;
  const { sender } = mail;
  if (!row || !acknowledgement || sender === null || obstacleOf(ctx, row)) return;
  const of = { team_id: ctx.teamId, account_id: account.id, sender: foldAddress(sender.address) };
  const [counted, own, suppressed] = await Promise.all([
    ctx.db.first(mailsOfSender, { ...of, since: ctx.now - DAY_MS }),
    ownAddresses(ctx),
    suppressedOf(ctx, account.id, [sender.address]),
  ]);
  const facts = { isFirst, isForwarded, mailsOfDay: counted?.total ?? 0, ownAddresses: [...own], now: ctx.now };
  if (suppressed.size > 0 || !mayAcknowledge(mail, facts)) return;
  const { text, language } = acknowledgement;
  const settings = readEmailSettings(JSON.parse(row.settings));
  const ours = acknowledgementTexts[language];
  const to = { name: null, address: sender.address };
  const brand = account.homeWidget.name;
  const first = prepareFirst(ctx, { account: row, settings, brand, subject: ours.subject, to });
  const { conversation_id } = message;
  const people = await findConversationWithPeople(ctx, conversation_id);
  const { message: line } = addSystemLine(ctx, people, text ?? ours.text, ACKNOWLEDGED);
  const domain = settings.address.slice(settings.address.lastIndexOf("@") + 1);
  const answered = mail.headerId === null ? [] : [mail.headerId];
  keepReply(
    ctx,
    { ...first, references: [conversationMessageId(conversation_id, domain), ...answered] },
    line,
    undefined,
  );
}
