import { traitsOf } from "@frontdesk/core/domain/channel";
import { actorOfKind } from "../../access/actor.ts";
import { sentVia } from "../../access/by-actor.ts";
import { agentOfAccount } from "../../agents/agent-of-account.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Context, Operation } from "../../context.ts";
import { addMessage } from "../../conversations/add-message.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import { takeFiles } from "../../files/take-files.ts";
import { giveUpFiles, ignoreMail, keepMail, type MailImported, type MailToImport } from "../in/import-mail.ts";
import type { IncomingMail } from "../in/incoming-mail.ts";
import { mailAccountSettings } from "../in/mail-account-settings.ts";
import { changeMailImport, mailImportByKey } from "../in/mail-import-store.ts";
import { lastMailOfPeople } from "../in/mail-store.ts";
import { messageText } from "../in/message-text.ts";
import { findSentReply } from "./find-sent-reply.ts";
import type { SentHead } from "./sent-head.ts";

/**
 * A reply that a teammate has sent from a mail program becomes a message of their conversation
 * (docs/decisions/0067-replies-from-mail-programs.md): of the agent whose address it is from, else of the account's own row. It is
 * never sent again, and is no `message.sent`. One that answers nothing any more leaves nothing but that it was taken. Repeating it
 * changes nothing.
 *
 * @throws Refusal `not-found` for an account that is deleted
 */
export const importSentMail: Operation<MailToImport & { head: SentHead }, MailImported> = {
  name: "import-sent-mail",
  mode: "write",
  async run(ctx, { key, mail, head, attachments, fileIds }) {
    const { row: accountRow, account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    const row = await ctx.db.first(mailImportByKey, { team_id: ctx.teamId, account_id: account.id, key });
    if (row?.state !== "sent") {
      giveUpFiles(ctx, fileIds);
      return { state: "none" };
    }
    const reply = await findSentReply(ctx, accountRow, head);
    if (!reply) return ignoreMail(ctx, { row, fileIds });

    const { conversation, sender, to, cc } = reply;
    const { content, folded } = messageText(mail, { isAnswer: true, files: attachments.length });
    const [people, taken, isLate] = await Promise.all([
      findConversationWithPeople(ctx, conversation.id),
      takeFiles(ctx, attachments),
      isBeforeLast(ctx, conversation.id, mail),
    ]);
    const named = { id: account.id, name: mailAccountSettings(accountRow).address };
    const { message } = addMessage(ctx, people, {
      ...{ from: "agent", type: "message", content, attachments: taken, writtenAt: mail.sentAt ?? undefined },
      ...{ agent: reply.agent ?? (await agentOfAccount(ctx, named)), origin: traitsOf(account.channel).origin },
      ...{ sentVia: sentVia(ctx.actor), sentElsewhere: { isLate } },
    });
    const sent: IncomingMail = { ...mail, sender, to, cc, replyTo: [] };
    keepMail(ctx, { row, account, mail: sent, direction: "out" }, message, folded);
    ctx.write(changeMailImport, { ...row, state: "imported", message_id: message.id, sender: null, error: null });
    return { state: "imported" };
  },
};

/**
 * Whether the visitor has written since, so that they still wait: by what it answers, else by the dates of both. A conversation that waits
 * in vain is seen; one that is forgotten is not.
 */
async function isBeforeLast(
  ctx: Context,
  conversation_id: string,
  { answers, sentAt }: Pick<IncomingMail, "answers" | "sentAt">,
): Promise<boolean> {
  const last = await ctx.db.first(lastMailOfPeople, { team_id: ctx.teamId, conversation_id });
  if (!last || (last.header_id !== null && answers.includes(last.header_id))) return false;
  return last.sent_at > Math.min(sentAt ?? ctx.now, ctx.now);
}
