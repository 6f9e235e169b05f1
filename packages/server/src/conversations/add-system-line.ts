import { traitsOf } from "@frontdesk/core/domain/channel";
import { searchable } from "@frontdesk/core/domain/search-text";
import type { Context } from "../context.ts";
import type { SaidLine } from "../events/event.ts";
import type { TakenAttachment } from "../files/take-files.ts";
import type { AttachmentRow, ConversationRow, MessageRow } from "../storage/tables.ts";
import { updateConversation } from "./conversation-store.ts";
import type { ConversationWithPeople } from "./find-conversation.ts";
import { insertAttachment, insertMessage } from "./message-store.ts";

/**
 * Writes a line of the service's own into a conversation, for the team: visitors do not see it, and neither do REST lists
 * (decision 6). `said` is the same as data. It is no activity: the conversation keeps its position in lists, and nothing
 * becomes unread.
 */
export function addSystemLine(
  ctx: Context,
  { conversation: before, contact, widget }: ConversationWithPeople,
  content: string,
  said: SaidLine,
  taken: readonly TakenAttachment[] = [],
): { message: MessageRow; conversation: ConversationRow } {
  const message: MessageRow = {
    team_id: ctx.teamId,
    conversation_id: before.id,
    sort_number: before.last_sort_number + 1,
    id: ctx.newId(),
    contact_id: before.contact_id,
    agent_id: null,
    type: "system",
    origin: traitsOf(before.channel).origin,
    sent_via: "automation",
    content,
    content_folded: searchable(content),
    created_at: ctx.now,
    client_id: null,
    drafted_with_ai: 0,
  };
  const conversation = { ...before, last_sort_number: message.sort_number };
  ctx.write(insertMessage, message);
  ctx.write(updateConversation, conversation);
  const attachments = taken.map(
    (attachment, index): AttachmentRow => ({
      ...{ team_id: ctx.teamId, message_id: message.id, position: index + 1, ...attachment },
      ...{ account_id: before.account_id, created_at: message.created_at },
    }),
  );
  for (const attachment of attachments) ctx.write(insertAttachment, attachment);
  ctx.record({ name: "system-line.added", message, attachments, conversation, contact, widget, said });
  return { message, conversation };
}
