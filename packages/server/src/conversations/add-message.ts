import { stepInReason } from "@frontdesk/core/domain/ai/ai-episode";
import type { MessageOrigin } from "@frontdesk/core/domain/channel";
import { type SentVia, unreadAfter } from "@frontdesk/core/domain/conversation";
import { searchable } from "@frontdesk/core/domain/search-text";
import { recordSpeaker, speakerColumn } from "../ai/speaker/change-speaker.ts";
import type { Context } from "../context.ts";
import type { TakenAttachment } from "../files/take-files.ts";
import type { AgentRow, AttachmentRow, ConversationRow, MessageRow } from "../storage/tables.ts";
import { listOf } from "./conversation-lists.ts";
import { updateConversation } from "./conversation-store.ts";
import { episodeAfterMessage } from "./episodes.ts";
import type { ConversationWithPeople } from "./find-conversation.ts";
import { mailUnlessSeen } from "./mailing.ts";
import { insertMention } from "./mention-store.ts";
import { insertAttachment, insertMessage } from "./message-store.ts";
import { isSnoozed, snoozeAfter } from "./snooze.ts";
import { followSnooze } from "./snooze-timer.ts";

/** An attachment in a request. */
export interface NewAttachment {
  url: string;
  name?: string | null | undefined;
  type?: string | null | undefined;
  mime?: string | null | undefined;
  size?: number | null | undefined;
}

export type NewMessage = {
  /** Empty only when there are attachments. */
  content: string;
  attachments: readonly TakenAttachment[];
  origin: MessageOrigin;
  sentVia: SentVia;
  /** When it was written, ms since the epoch; left out: now. A message is never in the future. */
  writtenAt?: number | undefined;
  /** The id that the visitor's browser gave it. */
  clientId?: string | undefined;
} & (
  | { from: "visitor"; type: "message" }
  | {
      from: "agent";
      type: "message" | "note";
      agent: AgentRow;
      /**
       * Of a message that was sent in another program: it is no `message.sent`, and is sent nowhere. `isLate`: the visitor has written
       * since, so that it neither answers nor reads everything.
       */
      sentElsewhere?: { isLate: boolean } | undefined;
      /** The agents that a note names. */
      mentions?: readonly AgentRow[];
      /** The copilot has written a part of it. */
      draftedWithAi?: boolean | undefined;
      /** It tells the visitor that an answer will come: they go on waiting for it. */
      isNoAnswer?: boolean | undefined;
    }
);

/** A message as it was written, with its conversation and contact. */
export interface WrittenMessage {
  message: MessageRow;
  attachments: AttachmentRow[];
  contact: ConversationWithPeople["contact"];
  agent: AgentRow | undefined;
}

/**
 * Writes a message into a conversation: the row, its attachments, and the conversation's own columns (number, newest activity,
 * what is read and unread, when replies are mailed, whether it is snoozed). Other changes that the caller made in
 * `conversation` are stored with it. A repeat writes another message; `Idempotency-Key` is what makes a request safe to repeat.
 */
export function addMessage(
  ctx: Context,
  { conversation: before, contact, widget }: ConversationWithPeople,
  written: NewMessage,
): WrittenMessage {
  const sortNumber = before.last_sort_number + 1;
  const agent = written.from === "agent" ? written.agent : undefined;
  const message: MessageRow = {
    team_id: ctx.teamId,
    conversation_id: before.id,
    sort_number: sortNumber,
    id: ctx.newId(),
    contact_id: before.contact_id,
    agent_id: agent?.id ?? null,
    type: written.type,
    origin: written.origin,
    sent_via: written.sentVia,
    content: written.content,
    content_folded: searchable(written.content),
    created_at: Math.min(written.writtenAt ?? ctx.now, ctx.now),
    client_id: written.clientId ?? null,
    drafted_with_ai: written.from === "agent" && written.draftedWithAi ? 1 : 0,
  };
  const isReply = agent !== undefined && written.type === "message";
  // The AI reads nothing for the team.
  const readsAll = isReply && written.sentVia !== "ai";
  const isNoAnswer = written.from === "agent" && written.isNoAnswer === true;
  const elsewhere = written.from === "agent" ? written.sentElsewhere : undefined;
  const isLate = elsewhere?.isLate === true;
  const conversation: ConversationRow = {
    ...before,
    // An agent who replies has read the earlier messages.
    team_seen_number: readsAll && !isLate ? sortNumber : before.team_seen_number,
    unread_messages:
      isLate || (isReply && !readsAll) ? before.unread_messages : unreadAfter(before.unread_messages, written),
    // A clock that was set back must not sort a new message below an older one.
    last_message_at: Math.max(before.last_message_at, ctx.now),
    last_message_number: sortNumber,
    last_sort_number: sortNumber,
    message_count: before.message_count + 1,
    ...(isReply && {
      speaker: speakerColumn(before, { name: "message-sent", via: written.sentVia }),
    }),
    ...(!(isLate || isNoAnswer) && episodeAfterMessage(before, message, ctx.now)),
    ...(!isLate && snoozeAfter(before, written, ctx.now)),
  };
  const attachments = written.attachments.map(
    (attachment, index): AttachmentRow => ({
      team_id: ctx.teamId,
      message_id: message.id,
      position: index + 1,
      ...attachment,
      account_id: before.account_id,
      created_at: message.created_at,
    }),
  );
  ctx.write(insertMessage, message);
  ctx.write(updateConversation, conversation);
  if (isReply) mailUnlessSeen(ctx, before, contact);
  followSnooze(ctx, before, conversation);
  ctx.moveInList(listOf(before), before.last_message_at, conversation.last_message_at);
  for (const attachment of attachments) ctx.write(insertAttachment, attachment);
  const mentions = written.from === "agent" ? (written.mentions ?? []) : [];
  const key = { team_id: ctx.teamId, conversation_id: before.id, sort_number: sortNumber };
  for (const { id } of mentions) ctx.write(insertMention, { ...key, agent_id: id, is_read: id === agent?.id ? 1 : 0 });
  const about = { message, attachments, conversation, contact, widget };
  if (isSnoozed(before) && !isSnoozed(conversation)) {
    ctx.record({
      name: "conversation.unsnoozed",
      conversation,
      contact,
      widget,
      endedBy: { visitor: { id: contact.id } },
    });
  }
  if (!agent) ctx.record({ name: "message.received", ...about });
  else if (written.type === "note") ctx.record({ name: "note.added", agent, mentions, ...about });
  else if (elsewhere) ctx.record({ name: "message.sent-elsewhere", agent, ...elsewhere, ...about });
  else ctx.record({ name: "message.sent", agent, isNoAnswer, ...about });
  recordSpeaker(ctx, before, about, stepInReason({ name: "message-sent", via: written.sentVia }));
  return { message, attachments, contact, agent };
}
