import type { AgentStatus } from "@frontdesk/core/domain/agent";
import type { Channel } from "@frontdesk/core/domain/channel";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { actorOfKind } from "../../access/actor.ts";
import { sentVia } from "../../access/by-actor.ts";
import { agentByEmail } from "../../agents/agent-store.ts";
import { ACCOUNT_TIMES_STEP_MS, type ChannelAccount } from "../../channels/channel-account.ts";
import { markAccountReceived } from "../../channels/channel-account-store.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import { contactByIdentity } from "../../contacts/contact-identity-store.ts";
import { contactOfIdentities, type Identity } from "../../contacts/contact-of-identities.ts";
import { contactById } from "../../contacts/contact-store.ts";
import type { Context, Operation } from "../../context.ts";
import type { NewAttachment } from "../../conversations/add-message.ts";
import { addSystemLine } from "../../conversations/add-system-line.ts";
import { type ConversationWithPeople, conversationOfData } from "../../conversations/find-conversation.ts";
import { receiveMessage } from "../../conversations/receive-message.ts";
import { type Start, startConversation } from "../../conversations/start-conversation.ts";
import { takeFiles } from "../../files/take-files.ts";
import { returnHeldReplies } from "../../inbox/held-reply.ts";
import type { AgentRow, ContactRow, MailImportRow, MailRow, MessageRow } from "../../storage/tables.ts";
import { noteReport } from "../bounce/note-report.ts";
import { deleteSuppression } from "../out/outgoing-mail-store.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { baseSubject } from "../rules/mail-subject.ts";
import { isTestMark } from "../rules/test-mark.ts";
import { spamPreview } from "../spam/spam-preview.ts";
import { acknowledgeMail } from "./acknowledge-mail.ts";
import type { IncomingMail } from "./incoming-mail.ts";
import { isOurs } from "./is-ours.ts";
import { mailAccountSettings } from "./mail-account-settings.ts";
import type { MailImportState } from "./mail-import.ts";
import {
  changeMailImport,
  giveUpMailFile,
  giveUpUnusedFile,
  mailImportByKey,
  mailsOfSender,
} from "./mail-import-store.ts";
import { mailLine } from "./mail-line.ts";
import { insertMail } from "./mail-store.ts";
import { findThread, type MailThread } from "./mail-thread.ts";
import { messageText } from "./message-text.ts";

/** Of a sender in an account; the further ones are held. */
const MAILS_AN_HOUR = 20;
const HOUR_MS = 3_600_000;

/** A mail that was read, with its files, which are stored already. */
export interface MailToImport {
  key: string;
  mail: IncomingMail;
  attachments: readonly NewAttachment[];
  /** The files of the attachments. */
  fileIds: readonly string[];
}

/** `none`: it is not there to be imported (any more). */
export type MailImported = { state: Exclude<MailImportState, "stored" | "failed" | "erased"> | "none" };

interface Importing {
  row: MailImportRow;
  account: ChannelAccount;
  mail: IncomingMail;
  /** The agent who has forwarded it; `mail` then is as if its writer had sent it to us alone. */
  forwardedBy?: AgentRow | undefined;
  attachments: readonly NewAttachment[];
  fileIds: readonly string[];
  /** Identities of who wrote it; one who names no address is a person of one mail. */
  identities: readonly [Identity];
}

/**
 * A stored mail becomes a message:
 *
 * ```
 * not stored any more? -> our own, or a test? -> a report about ours? -> which conversation -> is the writer blocked? -> spam? -> too many? -> message
 * ```
 * Mail that no human wrote, and mail of one who sends too much, are system messages: nothing is unread, reopened or reacts to them.
 * Spam is kept apart: there is no message.
 * Repeating it changes nothing.
 *
 * @throws Refusal `not-found` for an account that is deleted
 */
export const importMail: Operation<MailToImport, MailImported> = {
  name: "import-mail",
  mode: "write",
  async run(ctx, { key, mail, attachments, fileIds }) {
    const { row: accountRow, account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    const row = await ctx.db.first(mailImportByKey, { team_id: ctx.teamId, account_id: account.id, key });
    if (row?.state !== "stored") {
      giveUpFiles(ctx, fileIds);
      return { state: "none" };
    }
    let importing: Importing = { row, account, mail, attachments, fileIds, identities: [identityOf(mail, key)] };

    const { headerId, ownTokens } = mail;
    if (
      isTest(ctx, mail) ||
      (await isOurs(ctx, account.id, { headerIds: headerId === null ? [] : [headerId], ownTokens }))
    )
      return ignoreMail(ctx, importing);
    const { reopenDays } = mailAccountSettings(accountRow);
    const reported = mail.report && (await noteReport(ctx, account.id, mail.report));
    const thread: MailThread = reported
      ? { outcome: "join", conversation: reported }
      : await findThread(ctx, mail, { accountId: account.id, reopenDays });
    if (thread.outcome === "new") importing = await asForwarded(ctx, importing);
    if (await isBlocked(ctx, importing, thread)) return ignoreMail(ctx, importing);
    ctx.write(markAccountReceived, {
      ...{ team_id: ctx.teamId, id: account.id },
      ...{ last_received_at: ctx.now, before: ctx.now - ACCOUNT_TIMES_STEP_MS },
    });
    if (isSpam(importing, thread)) return keepApart(ctx, importing);
    const isHeld = mail.automatic === undefined && (await sendsTooMany(ctx, account.id, importing.mail));
    if (isHeld) return addQuietly(ctx, importing, thread, "held");
    if (mail.automatic === undefined) return receive(ctx, importing, thread);
    return addQuietly(ctx, importing, thread, thread.outcome === "join" ? "imported" : "automatic");
  },
};

/** A mail that a mailbox of the team has sent to itself as a test, or what comes of it. */
const isTest = ({ vault, teamId }: Context, { testMarks }: IncomingMail): boolean =>
  testMarks.some((mark) => isTestMark(vault, teamId, mark));

async function isBlocked(ctx: Context, { account, identities }: Importing, thread: MailThread): Promise<boolean> {
  const writer = await ctx.db.first(contactByIdentity, {
    ...{ team_id: ctx.teamId, account_id: account.id },
    ...identities[0],
  });
  if (writer && writer.blocked_at !== null) return true;
  if (thread.outcome === "new" || thread.outcome === "new-linked") return false;
  return (await contactOf(ctx, thread.conversation.contact_id)).blocked_at !== null;
}

const identityOf = ({ sender }: IncomingMail, key: string): Identity =>
  sender === null ? { kind: "mail", value: key } : { kind: "email", value: foldAddress(sender.address) };

/** What an agent forwards to the mailbox begins a conversation with its writer, whom alone replies go to. */
async function asForwarded(ctx: Context, importing: Importing): Promise<Importing> {
  const { mail, row } = importing;
  const forwardedBy = await forwarderOf(ctx, mail);
  const { forwardedFrom } = mail;
  if (!forwardedBy || !forwardedFrom) return importing;
  const asWritten: IncomingMail = { ...mail, sender: forwardedFrom, to: [], cc: [], replyTo: [forwardedFrom] };
  return { ...importing, mail: asWritten, forwardedBy, identities: [identityOf(asWritten, row.key)] };
}

/** The agent who has forwarded it; undefined for a mail of any other. */
async function forwarderOf(ctx: Context, { sender, forwardedFrom }: IncomingMail): Promise<AgentRow | undefined> {
  if (!sender || !forwardedFrom) return undefined;
  const agent = await ctx.db.first(agentByEmail, { team_id: ctx.teamId, email_folded: foldText(sender.address) });
  return agent?.status === ("active" satisfies AgentStatus) ? agent : undefined;
}

/** The sender to store with a mail that could not be imported: its writer, also where an agent forwards it. */
export async function senderOf(ctx: Context, mail: IncomingMail): Promise<string | null> {
  const sender = (await forwarderOf(ctx, mail)) ? mail.forwardedFrom : mail.sender;
  return sender && foldAddress(sender.address);
}

async function sendsTooMany(ctx: Context, account_id: string, mail: IncomingMail): Promise<boolean> {
  if (mail.sender === null) return false;
  const sender = foldAddress(mail.sender.address);
  const of = { team_id: ctx.teamId, account_id, sender, since: ctx.now - HOUR_MS };
  return ((await ctx.db.first(mailsOfSender, of))?.total ?? 0) >= MAILS_AN_HOUR;
}

/** Never what answers a conversation by right, what an agent has forwarded, or what an agent has said is none. */
const isSpam = ({ mail, row, forwardedBy }: Importing, thread: MailThread): boolean =>
  mail.isSpam && row.not_spam === 0 && !forwardedBy && thread.outcome !== "join";

/** Its original has its attachments. */
function keepApart(ctx: Context, { row, mail, fileIds }: Importing): MailImported {
  giveUpFiles(ctx, fileIds);
  const sender = mail.sender && foldAddress(mail.sender.address);
  ctx.write(changeMailImport, { ...row, state: "spam", sender, error: null, preview: spamPreview(mail) });
  return { state: "spam" };
}

/** Only that it came is kept. */
export function ignoreMail(ctx: Context, { row, fileIds }: Pick<Importing, "row" | "fileIds">): MailImported {
  giveUpFiles(ctx, fileIds);
  if (row.raw_file !== null) ctx.write(giveUpMailFile, { team_id: ctx.teamId, id: row.raw_file });
  ctx.write(changeMailImport, { ...row, state: "ignored", raw_file: null, sender: null, error: null });
  return { state: "ignored" };
}

/**
 * The files of a mail that becomes no message: they need not wait, as others that no message uses. Changes nothing of those that a
 * message has.
 */
export function giveUpFiles(ctx: Context, fileIds: readonly string[]): void {
  for (const id of fileIds) ctx.write(giveUpUnusedFile, { team_id: ctx.teamId, id });
}

async function receive(ctx: Context, importing: Importing, thread: MailThread): Promise<MailImported> {
  const { mail, attachments, identities, forwardedBy } = importing;
  if (mail.sender && mail.isTrusted && !mail.dmarcFailed && !forwardedBy) {
    // A mail comes from it: it exists after all.
    const address = foldAddress(mail.sender.address);
    ctx.write(deleteSuppression, { team_id: ctx.teamId, account_id: importing.account.id, address });
  }
  const joined = thread.outcome === "join" || thread.outcome === "join-marked" ? thread.conversation : undefined;
  // An answer to a mail about a chat is a message of the chat.
  const account = joined ? (await findChannelAccount(ctx, joined.account_id)).account : importing.account;
  const { content, folded } = messageText(mail, { isAnswer: joined !== undefined, files: attachments.length });
  const writes = { attachments: () => takeFiles(ctx, attachments), sentVia: sentVia(ctx.actor) };
  const received = await receiveMessage(ctx, {
    ...{ account, content, ...writes, email: ofConversation(mail) },
    ...(joined
      ? {
          who: { contact: await contactOf(ctx, joined.contact_id), isNew: false },
          into: { conversationId: joined.id },
        }
      : { who: { identities, details: detailsOf(mail) }, into: "new" as const }),
    occurredAt: mail.sentAt ?? undefined,
  });
  keepMail(ctx, { ...importing, direction: "in" }, received.message, folded);
  const into = received.message.conversation_id;
  // In a chat it is one message more; a reply by mail would go out as the answer to this one.
  if (joined?.channel === ("email" satisfies Channel)) await returnHeldReplies(ctx, into);
  if (forwardedBy) {
    const who = forwardedBy.name ?? forwardedBy.email;
    await addLine(ctx, into, mailLine({ note: "forwarded", who, agent_id: forwardedBy.id }));
  }
  await addLines(ctx, thread, mail, received.message);
  const isForwarded = forwardedBy !== undefined;
  await acknowledgeMail(ctx, importing.account, mail, { message: received.message, isFirst: !joined, isForwarded });
  end(ctx, importing, { state: "imported", message_id: received.message.id });
  return { state: "imported" };
}

/** A system message, in a conversation that exists or in one that no event tells of, and that no list of open ones has. */
async function addQuietly(
  ctx: Context,
  importing: Importing,
  thread: MailThread,
  state: "imported" | "automatic" | "held",
): Promise<MailImported> {
  const { account, mail, identities } = importing;
  const isAnswer = thread.outcome === "join";
  const { content, folded } = messageText(mail, { isAnswer, files: importing.attachments.length });
  const taken = await takeFiles(ctx, importing.attachments);
  let people: ConversationWithPeople;
  // A chat may be among them, which is no conversation of this account.
  if (thread.outcome === "join") people = await conversationOfData(ctx, thread.conversation.id);
  else {
    const { contact } = await contactOfIdentities(ctx, {
      ...{ account, identities, details: detailsOf(mail) },
      activeAt: mail.sentAt ?? undefined,
    });
    people = startConversation(ctx, {
      ...{ account, contact, firstPageUrl: null, email: ofConversation(mail), isQuiet: true },
    });
  }
  const { message } = addSystemLine(ctx, people, content, NOTED, taken);
  keepMail(ctx, { ...importing, direction: "in" }, message, folded);
  end(ctx, importing, { state, message_id: message.id });
  return { state };
}

const NOTED = { name: "mail.noted", values: {} } as const;

/** What agents should know of who wrote it, in the conversation that it is in, and in one that it only refers to. */
async function addLines(
  ctx: Context,
  thread: MailThread,
  { sender }: IncomingMail,
  { conversation_id: into, contact_id }: Pick<MessageRow, "conversation_id" | "contact_id">,
): Promise<void> {
  const who = sender?.address;
  switch (thread.outcome) {
    case "join":
      return;
    case "join-marked":
      await addLine(ctx, into, mailLine({ note: "joined", who }));
      return;
    case "new":
      if (thread.isMarked && who) await addLine(ctx, into, mailLine({ note: "unproved", who }));
      return;
    case "new-linked": {
      const { id, contact_id: other } = thread.conversation;
      await addLine(ctx, into, mailLine({ note: "refers", contact_id: other, conversation_id: id }));
      await addLine(ctx, id, mailLine({ note: "referred-to", who, contact_id, conversation_id: into }));
      return;
    }
    default:
      return thread satisfies never;
  }
}

async function addLine(ctx: Context, conversationId: string, line: ReturnType<typeof mailLine>): Promise<void> {
  addSystemLine(ctx, await conversationOfData(ctx, conversationId), line.content, line.said);
}

/** Keeps what a message has as a mail, in the commit of the message. */
export function keepMail(
  ctx: Context,
  { row, account, mail, direction }: Pick<Importing, "row" | "account" | "mail"> & Pick<MailRow, "direction">,
  message: { id: string; conversation_id: string },
  folded: string | null,
): void {
  const { to, cc, replyTo: reply_to } = mail;
  ctx.write(insertMail, {
    ...{ team_id: ctx.teamId, message_id: message.id, conversation_id: message.conversation_id },
    ...{ account_id: account.id, direction, header_id: mail.headerId, subject: mail.subject },
    sender: mail.sender && JSON.stringify(mail.sender),
    recipients: JSON.stringify({ to, cc, reply_to }),
    reference_ids: JSON.stringify(mail.references),
    ...{ raw_file: row.raw_file, folded_text: folded, sent_at: Math.min(mail.sentAt ?? ctx.now, ctx.now) },
    ...{ has_html: mail.hasHtml ? 1 : 0, forward_of: null, forward_files: null },
  });
}

function end(
  ctx: Context,
  { row, mail }: Importing,
  ended: Pick<MailImportRow, "message_id"> & { state: "imported" | "automatic" | "held" },
): void {
  const sender = mail.sender && foldAddress(mail.sender.address);
  ctx.write(changeMailImport, { ...row, ...ended, sender, error: null });
}

const ofConversation = ({ subject, headerId }: IncomingMail): NonNullable<Start["email"]> => ({
  subject: baseSubject(subject),
  externalIdentifier: headerId,
});

const detailsOf = ({ sender }: IncomingMail) => ({
  name: sender?.name === sender?.address ? null : sender?.name,
  email: sender?.address,
});

async function contactOf(ctx: Context, id: string): Promise<ContactRow> {
  const contact = await ctx.db.first(contactById, { team_id: ctx.teamId, id });
  if (!contact) throw new Error("A conversation has no contact.");
  return contact;
}
