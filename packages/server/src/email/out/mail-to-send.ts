import type { MessageType } from "@frontdesk/core/domain/conversation";
import { tokenHash } from "../../access/token.ts";
import { channelAccountById } from "../../channels/channel-account-store.ts";
import type { Context, Operation } from "../../context.ts";
import { attachmentsOfMessages, messageById } from "../../conversations/message-store.ts";
import type { FileState } from "../../files/file.ts";
import { fileTokenIn } from "../../files/file-address.ts";
import { fileByToken } from "../../files/file-store.ts";
import { listParam } from "../../storage/dialect.ts";
import type { AttachmentRow, MailRow } from "../../storage/tables.ts";
import { mailOfMessage } from "../in/mail-store.ts";
import type { MailAddress } from "../parse/parsed-mail.ts";
import type { MailToCompose } from "./compose-mail.ts";
import { quotedMail, recipientsOfMessages } from "./outgoing-mail-store.ts";

/** The message of a forward for which the agent has written nothing; it is not in the mail. */
export const FORWARD_WITHOUT_TEXT = "Forwarded email.";

/** A mail with all that composing and sending it need, besides the content of files. */
export interface MailToSend {
  mail: MailRow;
  /** Of the account, as it is now. */
  accountState: string;
  /** Those that it has not been sent to, as far as it is known. */
  waiting: string[];
  isSentToOthers: boolean;
  content: Omit<MailToCompose, "attachments">;
  files: { name: string; mime: string; id: string }[];
}

/** Reads a mail that is to be sent; undefined when it was erased. */
export const mailToSend: Operation<{ messageId: string }, MailToSend | undefined> = {
  name: "mail-to-send",
  mode: "read",
  async run(ctx, { messageId }) {
    const of = { team_id: ctx.teamId, message_id: messageId };
    const message_ids = listParam([messageId]);
    const [mail, message, attachments, recipients] = await Promise.all([
      ctx.db.first(mailOfMessage, of),
      ctx.db.first(messageById, { team_id: ctx.teamId, id: messageId }),
      ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids }),
      ctx.db.all(recipientsOfMessages, { team_id: ctx.teamId, message_ids }),
    ]);
    if (!mail || !message || message.content === null || mail.sender === null || mail.header_id === null)
      return undefined;
    const account = await ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: mail.account_id });
    const { to, cc, reply_to } = JSON.parse(mail.recipients) as Record<"to" | "cc" | "reply_to", MailAddress[]>;
    const from = JSON.parse(mail.sender) as MailAddress;
    const references: string[] = JSON.parse(mail.reference_ids);
    const inReplyTo = answeredBy(mail);
    const isAutomatic = message.type === ("system" satisfies MessageType);
    const [{ files, links }, passedOn] = await Promise.all([filesOf(ctx, attachments), filesPassedOn(ctx, mail)]);
    const text = mail.forward_of !== null && message.content === FORWARD_WITHOUT_TEXT ? "" : message.content;
    return {
      mail,
      accountState: account?.state ?? "",
      waiting: recipients
        .filter(({ state }) => state === "waiting" || state === "unknown")
        .map(({ address }) => address),
      isSentToOthers: recipients.some(({ state }) => state === "sent"),
      content: {
        ...{ from, replyTo: reply_to[0]?.address ?? from.address, to, cc, subject: mail.subject },
        ...{ messageId: mail.header_id, inReplyTo, references, date: mail.sent_at, text, links },
        isAutomatic,
        // What programs send has no words of others in it.
        quoted: isAutomatic ? null : await quoteOf(ctx, mail),
        forwarded: mail.forward_of === null ? null : mail.folded_text,
      },
      files: [...files, ...passedOn],
    };
  },
};

/** Those of the mail that is forwarded, as far as they are still there. */
async function filesPassedOn(ctx: Context, mail: MailRow): Promise<MailToSend["files"]> {
  if (mail.forward_of === null) return [];
  const positions: number[] = JSON.parse(mail.forward_files ?? "[]");
  const message_ids = listParam([mail.forward_of]);
  const attachments = await ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids });
  return (
    await filesOf(
      ctx,
      attachments.filter(({ position }) => positions.includes(position)),
    )
  ).files;
}

/** Our own files go along; others are linked. */
async function filesOf(ctx: Context, attachments: readonly AttachmentRow[]) {
  const files: MailToSend["files"] = [];
  const links: { name: string; url: string }[] = [];
  for (const { url, name } of attachments) {
    const token = fileTokenIn(url, ctx.teamId);
    const file =
      token === undefined
        ? undefined
        : await ctx.db.first(fileByToken, { team_id: ctx.teamId, token_hash: tokenHash(token) });
    if (file?.state === ("stored" satisfies FileState))
      files.push({ name: name ?? file.name, mime: file.mime, id: file.id });
    else links.push({ name: name ?? "File", url });
  }
  return { files, links };
}

/** The Message-ID of the mail that a mail answers. */
function answeredBy({ reference_ids }: Pick<MailRow, "reference_ids">): string | null {
  const references: string[] = JSON.parse(reference_ids);
  return references.length > 1 ? (references.at(-1) ?? null) : null;
}

/** What a mail quotes; null when it is a first one, or what it answers was erased or redacted. */
export async function quoteOf(ctx: Context, mail: MailRow): Promise<MailToCompose["quoted"]> {
  const { conversation_id } = mail;
  const header_id = answeredBy(mail);
  if (header_id === null) return null;
  const found = await ctx.db.first(quotedMail, { team_id: ctx.teamId, conversation_id, header_id });
  if (!found?.content || found.sender === null) return null;
  const { name, address } = JSON.parse(found.sender) as MailAddress;
  return { author: name ?? address, date: found.sent_at, text: found.content };
}
