import { type MessageType, senderOf } from "@frontdesk/core/domain/conversation";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { AttachmentRow, ConversationRow } from "../storage/tables.ts";
import { agentNames, contactNames, type PersonRow } from "./conversation-store.ts";
import { findConversation } from "./find-conversation.ts";
import { attachmentsOfMessages, messagesBefore, type ReadMessageRow } from "./message-store.ts";

export interface MessagesToRead {
  conversationId: string;
  limit: number;
  /** Only messages with lower sort numbers: the `nextBeforeSortNumber` of the previous page. */
  beforeSortNumber: string | undefined;
  includeSystem: boolean;
  /** Notes and reminders. */
  includeInternal: boolean;
}

/** A message with its writer. */
export interface ReadMessage {
  message: ReadMessageRow;
  /** The agent or the contact; undefined for the service's own. */
  sender: PersonRow | undefined;
  /** In their order. */
  attachments: AttachmentRow[];
}

export interface ReadMessages {
  conversation: ConversationRow;
  rows: ReadMessage[];
  /** Where the next page begins; null when there is none. */
  nextBeforeSortNumber: string | null;
}

/**
 * The messages of a conversation, newest first. Pages go by sort numbers, so that messages written meanwhile move nothing. The
 * conversation stays as unread as it was. Specification: the tool list-conversation-messages.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `before_sort_number`
 */
export const readMessages: Operation<MessagesToRead, ReadMessages> = {
  name: "read-messages",
  mode: "read",
  async run(ctx, { conversationId, limit, beforeSortNumber, includeSystem, includeInternal }) {
    const conversation = await findConversation(ctx, conversationId);
    const types: MessageType[] = ["message"];
    if (includeSystem) types.push("system");
    if (includeInternal) types.push("note", "reminder");
    // One more than is returned shows whether another page follows.
    const found = await ctx.db.all(messagesBefore, {
      team_id: ctx.teamId,
      conversation_id: conversation.id,
      before: sortNumber(beforeSortNumber),
      types: listParam(types),
      limit: limit + 1,
    });
    const messages = found.slice(0, limit);
    const oldest = messages.at(-1);
    return {
      conversation,
      rows: await withSenders(ctx, conversation, messages),
      nextBeforeSortNumber: oldest && found.length > limit ? String(oldest.sort_number) : null,
    };
  },
};

/** The cursor as a number; without one, a number above all others. */
function sortNumber(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[0-9]{1,15}$/.test(cursor)) {
    throw invalid({ before_sort_number: "message-cursor" });
  }
  return Number(cursor);
}

async function withSenders(
  ctx: Context,
  conversation: ConversationRow,
  messages: readonly ReadMessageRow[],
): Promise<ReadMessage[]> {
  const agentIds = new Set(messages.flatMap(({ agent_id }) => agent_id ?? []));
  const [contacts, agents, attached] = await Promise.all([
    ctx.db.all(contactNames, { team_id: ctx.teamId, contact_ids: listParam([conversation.contact_id]) }),
    agentIds.size > 0 ? ctx.db.all(agentNames, { team_id: ctx.teamId, agent_ids: listParam([...agentIds]) }) : [],
    ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids: listParam(messages.map(({ id }) => id)) }),
  ]);
  const people = { agent: agents, visitor: contacts, system: [] };
  const attachments = Map.groupBy(attached, ({ message_id }) => message_id);
  return messages.map((message) => {
    const sender = senderOf(message);
    const id = sender === "agent" ? message.agent_id : message.contact_id;
    return {
      message,
      sender: people[sender].find((person) => person.id === id),
      attachments: attachments.get(message.id) ?? [],
    };
  });
}
