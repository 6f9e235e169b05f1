import type { ExportedContact, ExportedConversation, ExportedMessage } from "@frontdesk/core/contract/contact-export";
import { EXPORT_VERSION } from "@frontdesk/core/contract/contact-export";
import { inNameOrder } from "@frontdesk/core/domain/name-order";
import { bestWidgetLanguage, type WidgetLanguage } from "@frontdesk/core/domain/widget-settings";
import { tokenHash } from "../access/token.ts";
import { contactById, pageVisitsOfContacts } from "../contacts/contact-store.ts";
import type { Context, Operation } from "../context.ts";
import { agentFaces } from "../conversations/conversation-store.ts";
import { attachmentsOfMessages } from "../conversations/message-store.ts";
import { customDataOfContact } from "../custom-data/custom-data-store.ts";
import { fileTokenIn } from "../files/file-address.ts";
import { listParam } from "../storage/dialect.ts";
import type { AttachmentRow, ConversationRow, ExportRow, FileRow } from "../storage/tables.ts";
import { tagsOfConversations } from "../tags/tag-store.ts";
import { teamById } from "../teams/team-store.ts";
import { isoTime } from "../timestamp.ts";
import { conversationsOfErased } from "./erase-rows-store.ts";
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
import { presentExportedContact, presentExportedConversation } from "./present-exported.ts";

/** Messages that are read at once: a text has up to 10,000 characters. */
const AT_ONCE = 200;

/** What is read first of an export. */
export interface ExportStart {
  row: ExportRow;
  language: WidgetLanguage;
  about: ExportedContact;
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
    const [team, contact, fields, identities, visits, conversations, widgets] = await Promise.all([
      ctx.db.first(teamById, { team_id: ctx.teamId }),
      ctx.db.first(contactById, { team_id: ctx.teamId, id: row.contact_id }),
      ctx.db.all(customDataOfContact, of),
      ctx.db.all(identitiesOfContact, of),
      ctx.db.all(pageVisitsOfContacts, { team_id: ctx.teamId, contact_ids: listParam([row.contact_id]) }),
      ctx.db.all(conversationsOfErased, of),
      ctx.db.all(widgetNames, { team_id: ctx.teamId }),
    ]);
    if (!team || !contact) throw new Error("The team or the contact of an export is not there.");
    const withNotes = row.include_notes === 1;
    const tags = withNotes ? await tagsOf(ctx, conversations) : undefined;
    const widgetName = new Map(widgets.map(({ id, name }) => [id, name]));
    return {
      row,
      language: bestWidgetLanguage(contact.language === null ? [] : [contact.language]),
      about: {
        version: EXPORT_VERSION,
        ...presentExportedContact({ row, team, contact, fields: inNameOrder(fields), identities, visits, widgetName }),
      },
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
  sortNumber: number;
  message: ExportedMessage;
  files: (StoredFile | undefined)[];
  original: StoredFile | undefined;
}

/** The next messages of a conversation; undefined when the export is gone. */
export const messagesOfExport: Operation<
  { exportId: string; conversationId: string; after: number; upTo: number },
  ReadMessage[] | undefined
> = {
  name: "read-export",
  mode: "read",
  async run(ctx, { exportId, conversationId, after, upTo }) {
    const row = await ctx.db.first(exportById, { team_id: ctx.teamId, id: exportId });
    if (!row) return undefined;
    const rows = await ctx.db.all(messagesToExport, {
      team_id: ctx.teamId,
      conversation_id: conversationId,
      after,
      up_to: upTo,
      types: listParam(row.include_notes === 1 ? [...EXPORTED_TYPES, "note"] : EXPORTED_TYPES),
      limit: AT_ONCE,
    });
    if (rows.length === 0) return [];
    const contact = await ctx.db.first(contactById, { team_id: ctx.teamId, id: row.contact_id });
    return withNamesAndFiles(ctx, rows, contact?.name ?? null);
  },
};

async function withNamesAndFiles(
  ctx: Context,
  rows: readonly ExportedMessageRow[],
  contactName: string | null,
): Promise<ReadMessage[]> {
  const agentIds = [...new Set(rows.flatMap(({ agent_id }) => agent_id ?? []))];
  const some = { team_id: ctx.teamId, message_ids: listParam(rows.map(({ id }) => id)) };
  const [agents, attached, originals] = await Promise.all([
    ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam(agentIds) }),
    ctx.db.all(attachmentsOfMessages, some),
    ctx.db.all(originalsOfMessages, some),
  ]);
  const originalOf = new Map(originals.map(({ message_id, ...file }) => [message_id, file]));
  const agentName = new Map(agents.map(({ id, name }) => [id, name]));
  const files = await filesOf(ctx, attached);
  const byMessage = Map.groupBy(attached, ({ message_id }) => message_id);
  return rows.map((row) => {
    const attachments = byMessage.get(row.id) ?? [];
    const ofTeam = row.agent_id !== null || row.type === "note";
    const original = originalOf.get(row.id);
    return {
      sortNumber: row.sort_number,
      message: {
        id: row.id,
        type: row.type as ExportedMessage["type"],
        from: ofTeam ? "team" : "contact",
        name: ofTeam ? (agentName.get(row.agent_id ?? "") ?? null) : contactName,
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
        ...(original && { original: { size: original.size, file: null } }),
      },
      original,
      files: attachments.map(({ url }) => files.get(url)),
    };
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
