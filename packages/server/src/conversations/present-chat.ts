import type { Response } from "@frontdesk/core/contract";
import type {
  ChatContact,
  ChatConversation,
  ChatSource,
  Chat as ShownChat,
  ChatMessage as ShownMessage,
  visitorOperations,
} from "@frontdesk/core/contract/visitor";
import type { Identified } from "../contacts/identify-visitor.ts";
import type { ContactRow, ConversationRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import { type ChatMessage, isByAi } from "./chat-message.ts";
import type { Chat } from "./open-chat.ts";
import { presentFaceToVisitors } from "./present-face.ts";
import { presentSources } from "./present-sources.ts";

type ShownIdentified = Response<typeof visitorOperations.introduce>;

/** A chat as its visitor sees it; the only code that decides what of a conversation leaves the team. */
export function presentChat({ contact, conversation, messages, hasMore, number }: Chat, epoch: string): ShownChat {
  return {
    contact: presentChatContact(contact),
    conversation: conversation ? presentChatConversation(conversation) : null,
    messages: messages.map(presentChatMessage),
    has_more: hasMore,
    number,
    epoch,
  };
}

export function presentChatContact({ id, name, email }: Pick<ContactRow, "id" | "name" | "email">): ChatContact {
  return { id, name, email };
}

/** Who the visitor is once identified, as the visitor sees it. */
export function presentIdentified({ contact, verifiedUntil, given, ignored }: Identified): ShownIdentified {
  return {
    contact: contact ? presentChatContact(contact) : null,
    verified_until: isoTimeOrNull(verifiedUntil),
    given,
    ignored,
  };
}

export function presentChatConversation(conversation: ConversationRow): ChatConversation {
  const { id, is_resolved, visitor_seen_number, team_seen_number, rating } = conversation;
  return {
    ...{ id, is_resolved: is_resolved === 1, seen_number: visitor_seen_number, team_seen_number, rating },
    speaker: conversation.speaker as ChatConversation["speaker"],
  };
}

export function presentChatMessage({ message, agent, attachments, ai }: ChatMessage): ShownMessage {
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    sort_number: message.sort_number,
    from: message.agent_id === null ? "visitor" : "agent",
    content: message.content ?? "",
    attachments: attachments.map(({ url, name, mime, size }) => ({ url, name, mime, size })),
    agent: agent ? presentFaceToVisitors(agent) : null,
    client_id: message.client_id,
    created_at: isoTime(message.created_at),
    ...redaction(message),
    ...(isByAi(message) && { by_ai: true }),
    ...(message.content !== null && ai && citing(presentSources(ai.sources))),
  };
}

const citing = (sources: ChatSource[]) => sources.length > 0 && { sources };

/** A message has a text, maybe an empty one, until it is redacted. */
export const redaction = ({ content }: { content: string | null }) => (content === null ? { is_redacted: true } : {});
