import type { ExportedContact, ExportedConversation, ExportedMessage } from "@frontdesk/core/contract/contact-export";
import { EXPORT_VERSION } from "@frontdesk/core/contract/contact-export";
import { inNameOrder } from "@frontdesk/core/domain/name-order";
import { bestWidgetLanguage, type WidgetLanguage } from "@frontdesk/core/domain/widget-settings";
import { tokenHash } from "../access/token.ts";
import { deliveriesOf } from "../channels/message-delivery.ts";
import { contactById, pageVisitsOfContacts } from "../contacts/contact-store.ts";
import type { Context, Operation } from "../context.ts";
import { isByAi } from "../conversations/chat-message.ts";
import { agentFaces } from "../conversations/conversation-store.ts";
import { attachmentsOfMessages } from "../conversations/message-store.ts";
import { customDataOfContact } from "../custom-data/custom-data-store.ts";
import { mailsOfMessages, peopleOfMails } from "../email/in/mail-store.ts";
import { MAILS_MAX } from "../email/in/mail-thread.ts";
import { foldAddress } from "../email/rules/mail-address.ts";
import { fileTokenIn } from "../files/file-address.ts";
import { listParam } from "../storage/dialect.ts";
import type {
  AttachmentRow,
  ContactIdentityRow,
  ContactRow,
  ConversationRow,
  ExportRow,
  FileRow,
} from "../storage/tables.ts";
import { tagsOfConversations } from "../tags/tag-store.ts";
import { teamById } from "../teams/team-store.ts";
import { isoTime } from "../timestamp.ts";
import { conversationsOfErased } from "./erase-rows-store.ts";
import { askedAddresses, suppressionsOfContact, unimportedOfContact } from "./export-mails-store.ts";
import {
  EXPORTED_TYPES,
  type ExportedMessageRow,
  exportById,
  identitiesOfContact,
  messagesToExport,
  originalsOfMessages,
  storedFiles,
  widgetNames,
} from "./export-store.ts";
import { addressesInMails, type MailPeople, presentExportedMail } from "./exported-mail.ts";
import { presentExportedContact, presentExportedConversation } from "./present-exported.ts";

/** Messages that are read at once: a text has up to 10,000 characters, and a mail 200,000 more that are folded. */
const AT_ONCE = 50;

/** What is read first of an export. */
export interface ExportStart {
  row: ExportRow;
  language: WidgetLanguage;
  about: ExportedContact;
  /** The originals of `about.contact.unimported_emails`, by their position. */
  unimported: StoredFile[];
  /** With the sort number of its last message: later ones are not exported. */
  conversations: { head: ExportedConversation; upTo: number }[];
}

/**
 * The contact of an export, and their conversations, as they are now; undefined when the export is gone or has ended.
 */
export const startOfExport: Operation<{ exportId: string }, ExportStart | ExportRow | undefined> = {
  name: "read-export",
  mode: "read",
  async run(ctx, { exportId }) {
    const row = await ctx.db.first(exportById, { team_id: ctx.teamId, id: exportId });
    if (row?.state !== "running") return row;
    const of = { team_id: ctx.teamId, contact_id: row.contact_id };
    const [team, contact, fields, identities, visits, conversations, widgets, suppressions, unimported] =
      await Promise.all([
        ctx.db.first(teamById, { team_id: ctx.teamId }),
        ctx.db.first(contactById, { team_id: ctx.teamId, id: row.contact_id }),
        ctx.db.all(customDataOfContact, of),
        ctx.db.all(identitiesOfContact, of),
        ctx.db.all(pageVisitsOfContacts, { team_id: ctx.teamId, contact_ids: listParam([row.contact_id]) }),
        ctx.db.all(conversationsOfErased, of),
        ctx.db.all(widgetNames, { team_id: ctx.teamId }),
        ctx.db.all(suppressionsOfContact, of),
        ctx.db.all(unimportedOfContact, of),
      ]);
    if (!team || !contact) throw new Error("The team or the contact of an export is not there.");
    const withNotes = row.include_notes === 1;
    const tags = withNotes ? await tagsOf(ctx, conversations) : undefined;
    const widgetName = new Map(widgets.map(({ id, name }) => [id, name]));
    const about = { row, team, contact, fields: inNameOrder(fields), identities, visits, suppressions, unimported };
    return {
      row,
      language: bestWidgetLanguage(contact.language === null ? [] : [contact.language]),
      about: { version: EXPORT_VERSION, ...presentExportedContact({ ...about, widgetName }) },
      unimported: unimported.map(({ taken_at: _, ...file }) => file),
      conversations: conversations.map((conversation) => ({
        head: presentExportedConversation(conversation, widgetName, tags && (tags.get(conversation.id) ?? [])),
        upTo: conversation.last_sort_number,
      })),
    };
  },
};

async function tagsOf(ctx: Context, conversations: readonly ConversationRow[]): Promise<Map<string, string[]>> {
  const conversation_ids = listParam(conversations.map(({ id }) => id));
  const tags = await ctx.db.all(tagsOfConversations, { team_id: ctx.teamId, conversation_ids });
  const byConversation = Map.groupBy(tags, ({ conversation_id }) => conversation_id);
  return new Map([...byConversation].map(([id, found]) => [id, found.map(({ name }) => name)]));
}

/** A file of the team that a message has. */
export type StoredFile = Pick<FileRow, "id" | "name" | "mime" | "size">;

/** A message, which of its attachments are files of the team, by their position, and the original of a mail. */
export interface ReadMessage {
  message: ExportedMessage;
  files: (StoredFile | undefined)[];
  original: StoredFile | undefined;
}

/** Messages that were read together, without those that are not exported. */
export interface ReadMessages {
  messages: ReadMessage[];
  /** The sort number up to which all are read. */
  upTo: number;
}

/** The next messages of a conversation; undefined when the export is gone. */
export const messagesOfExport: Operation<
  { exportId: string; conversationId: string; after: number; upTo: number },
  ReadMessages | undefined
> = {
  name: "read-export",
  mode: "read",
  async run(ctx, { exportId, conversationId, after, upTo }) {
    const row = await ctx.db.first(exportById, { team_id: ctx.teamId, id: exportId });
    if (!row) return undefined;
    const withNotes = row.include_notes === 1;
    const rows = await ctx.db.all(messagesToExport, {
      team_id: ctx.teamId,
      conversation_id: conversationId,
      after,
      up_to: upTo,
      types: listParam(withNotes ? [...EXPORTED_TYPES, "note"] : EXPORTED_TYPES),
      limit: AT_ONCE,
    });
    const last = rows.at(-1);
    if (!last) return { messages: [], upTo };
    const people = await peopleOf(ctx, row.contact_id, conversationId);
    return { messages: await asExported(ctx, rows, { ...people, withNotes }), upTo: last.sort_number };
  },
};

async function peopleOf(ctx: Context, contact_id: string, conversation_id: string): Promise<MailPeople> {
  const [contact, identities, asked, mails] = await Promise.all([
    ctx.db.first(contactById, { team_id: ctx.teamId, id: contact_id }),
    ctx.db.all(identitiesOfContact, { team_id: ctx.teamId, contact_id }),
    ctx.db.all(askedAddresses, { team_id: ctx.teamId, conversation_id }),
    ctx.db.all(peopleOfMails, { team_id: ctx.teamId, conversation_id, limit: MAILS_MAX }),
  ]);
  const isNameless = identities.some(({ kind }) => kind === "mail");
  // Of a chat, also those to which answers were mailed: an address of the contact may have changed since.
  const known = [...(contact ? addressesOf(contact, identities) : []), ...asked.map(({ address }) => address)];
  return {
    contactName: contact?.name ?? null,
    addresses: addressesInMails(known, isNameless, mails),
    isNameless,
  };
}

/** The folded addresses that a contact is known by. */
function addressesOf(
  { email, verified_email }: Pick<ContactRow, "email" | "verified_email">,
  identities: readonly Pick<ContactIdentityRow, "kind" | "value">[],
): string[] {
  const ofChannels = identities.filter(({ kind }) => kind === "email").map(({ value }) => value);
  return [...new Set([...ofChannels, ...[email, verified_email].flatMap((one) => (one ? foldAddress(one) : []))])];
}

async function asExported(
  ctx: Context,
  rows: readonly ExportedMessageRow[],
  people: MailPeople & { withNotes: boolean },
): Promise<ReadMessage[]> {
  const agentIds = [...new Set(rows.flatMap(({ agent_id }) => agent_id ?? []))];
  const some = { team_id: ctx.teamId, message_ids: listParam(rows.map(({ id }) => id)) };
  const [agents, attached, originals, mails, deliveries] = await Promise.all([
    ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam(agentIds) }),
    ctx.db.all(attachmentsOfMessages, some),
    ctx.db.all(originalsOfMessages, some),
    ctx.db.all(mailsOfMessages, some),
    deliveriesOf(
      ctx,
      rows.map(({ id }) => id),
    ),
  ]);
  const originalOf = new Map(originals.map(({ message_id, ...file }) => [message_id, file]));
  const mailOf = new Map(
    mails.map((mail) => [mail.message_id, presentExportedMail(mail, people, deliveries.get(mail.message_id))]),
  );
  const agentName = new Map(agents.map(({ id, name }) => [id, name]));
  const files = await filesOf(ctx, attached);
  const byMessage = Map.groupBy(attached, ({ message_id }) => message_id);
  return rows.flatMap((row) => {
    const mail = mailOf.get(row.id);
    if (mail && !mail.isForContact && !people.withNotes) return [];
    const attachments = byMessage.get(row.id) ?? [];
    const ofTeam = row.agent_id !== null || row.type === "note" || mail?.from === "team";
    const original = originalOf.get(row.id);
    const writer = ofTeam
      ? ({ from: "team", name: agentName.get(row.agent_id ?? "") ?? null } as const)
      : { from: mail?.from ?? ("contact" as const), name: mail ? mail.name : people.contactName };
    const read: ReadMessage = {
      message: {
        id: row.id,
        type: row.type === "system" ? "message" : (row.type as ExportedMessage["type"]),
        ...writer,
        ...(isByAi(row) && { by_ai: true as const }),
        content: row.content ?? "",
        created_at: isoTime(row.created_at),
        attachments: attachments.map(({ url, name, mime, size }) => ({
          name,
          mime,
          size,
          file: null,
          // The address of a file of the team is a secret that outlives this export.
          url: fileTokenIn(url, ctx.teamId) === undefined ? url : null,
        })),
        ...(mail && { email: mail.email }),
        ...(original && { original: { size: original.size, file: null } }),
      },
      original,
      files: attachments.map(({ url }) => files.get(url)),
    };
    return [read];
  });
}

/** The team's own files among attachments, by address. */
async function filesOf(ctx: Context, attached: readonly AttachmentRow[]): Promise<Map<string, StoredFile>> {
  const hashes = new Map(
    attached.flatMap(({ url }) => {
      const token = fileTokenIn(url, ctx.teamId);
      return token === undefined ? [] : [[url, tokenHash(token)] as const];
    }),
  );
  if (hashes.size === 0) return new Map();
  const token_hashes = listParam([...new Set(hashes.values())]);
  const found = new Map(
    (await ctx.db.all(storedFiles, { team_id: ctx.teamId, token_hashes })).map((file) => [file.token_hash, file]),
  );
  return new Map([...hashes].flatMap(([url, hash]) => (found.has(hash) ? [[url, found.get(hash) as StoredFile]] : [])));
}

/** Whether an export is still wanted. */
export const exportStands: Operation<{ exportId: string }, boolean> = {
  name: "read-export",
  mode: "read",
  async run(ctx, { exportId }) {
    return (await ctx.db.first(exportById, { team_id: ctx.teamId, id: exportId })) !== undefined;
  },
};
