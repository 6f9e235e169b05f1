import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import { actingAgent } from "../../agents/acting-agent.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import { contactByIdentity } from "../../contacts/contact-identity-store.ts";
import type { Context } from "../../context.ts";
import { addSystemLine } from "../../conversations/add-system-line.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import { attachmentsOfMessages, messageById } from "../../conversations/message-store.ts";
import { listParam } from "../../storage/dialect.ts";
import { mailLine } from "../in/mail-line.ts";
import { mailOfMessage } from "../in/mail-store.ts";
import { ownAddresses } from "../own-addresses.ts";
import type { MailAddress } from "../parse/parsed-mail.ts";
import { forwardedText, forwardSubject } from "../rules/forwarded-text.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { addressToWriteTo, beginByMail } from "./begin-by-mail.ts";
import { FORWARD_WITHOUT_TEXT } from "./mail-to-send.ts";
import { requireAccountToSend, requireMailSize } from "./reply-by-mail.ts";

/** A mail of a conversation that an agent sends on to an outside address. */
export interface Forward {
  conversationId: string;
  messageId: string;
  /** An outside address. */
  to: string;
  /** What the agent writes above it; may be empty. */
  content: string;
  /** The positions of its attachments that go along. */
  files: readonly number[];
}

/**
 * What a forward needs, before anything is written.
 *
 * @throws Refusal `not-found` for what is no mail, or was erased; `invalid` on `conversation_id`, `to` or `attachments`
 */
export async function prepareForward(ctx: Context, { conversationId, messageId, to, files }: Forward) {
  const id = canonicalId(messageId) ?? "";
  const [message, mail, all] = await Promise.all([
    ctx.db.first(messageById, { team_id: ctx.teamId, id }),
    ctx.db.first(mailOfMessage, { team_id: ctx.teamId, message_id: id }),
    ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids: listParam([id]) }),
  ]);
  if (message?.conversation_id !== conversationId) throw notFound("message");
  if (!mail || mail.sender === null || message.content === null) throw notFound("original");
  const { account: row } = await requireAccountToSend(ctx, mail);
  const address = await addressToWriteTo(ctx, row.id, to);
  const identity = { account_id: row.id, kind: "email", value: foldAddress(address) };
  const contact = await ctx.db.first(contactByIdentity, { team_id: ctx.teamId, ...identity });
  if (contact && contact.blocked_at !== null) throw invalid({ to: "contact-blocked" });
  const attachments = all.filter(({ position }) => files.includes(position));
  requireMailSize(attachments);
  return { row, address, message, content: message.content, mail, sender: mail.sender, attachments };
}

/**
 * Sends a mail on, as the first mail of a conversation of its own, with a token and ids of its own: what the outside person answers
 * comes in there, and neither the contact nor a later mail to them has any of it (docs/decisions/0074-forwarding.md). A line in
 * both conversations leads to the other. Returns the new one.
 *
 * @throws Refusal as `prepareForward`
 */
export async function sendForward(ctx: Context, forward: Forward): Promise<{ conversationId: string }> {
  const { row, address, message, content, mail, sender, attachments } = await prepareForward(ctx, forward);
  const agent = await actingAgent(ctx, undefined);
  if (!agent) throw invalid({ agent_id: "agent-missing" });
  const { account } = await findChannelAccount(ctx, row.id);
  const { to, cc } = JSON.parse(mail.recipients) as Record<"to" | "cc", MailAddress[]>;
  const text = forwardedText(
    {
      ...{ from: JSON.parse(sender), to, cc, subject: mail.subject, sentAt: mail.sent_at },
      text: [content, mail.folded_text].filter(Boolean).join("\n\n"),
      files: attachments.map(({ name }) => name ?? "file"),
    },
    [...(await ownAddresses(ctx))],
  );
  const { message: first } = await beginByMail(ctx, {
    ...{ row, account, agent, to: { address, name: null }, subject: forwardSubject(mail.subject) },
    content: forward.content.trim() || FORWARD_WITHOUT_TEXT,
    // Files belong to one message: each goes when that one does.
    attachments: async () => [],
    passedOn: { messageId: message.id, files: attachments.map(({ position }) => position), text },
  });
  const { conversation_id: from, contact_id: writer } = message;
  const { conversation_id: into, contact_id: other } = first;
  await addLine(ctx, into, mailLine({ note: "forwarded-from", contact_id: writer, conversation_id: from }));
  const told = { who: address, contact_id: other, conversation_id: into };
  await addLine(ctx, from, mailLine({ note: "forwarded-to", ...told }));
  return { conversationId: into };
}

async function addLine(ctx: Context, conversationId: string, line: ReturnType<typeof mailLine>): Promise<void> {
  addSystemLine(ctx, await findConversationWithPeople(ctx, conversationId), line.content, line.said);
}

/** In the conversation of the mail: it was not sent. */
export async function noteNotForwarded(ctx: Context, { conversationId, to }: Forward): Promise<void> {
  await addLine(ctx, conversationId, mailLine({ note: "not-forwarded", who: to }));
}
