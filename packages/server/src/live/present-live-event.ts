import type {
  AgentEventFrame,
  LiveConversation,
  LiveLastMessage,
  LiveMessage,
  VisitorEventFrame,
} from "@frontdesk/core/contract/live";
import type { ChatContact } from "@frontdesk/core/contract/visitor";
import type { Channel } from "@frontdesk/core/domain/conversation";
import { presentChatContact, presentChatConversation, presentChatMessage } from "../conversations/present-chat.ts";
import type { WholeConversation } from "../conversations/whole-conversation.ts";
import type { LogEntry, LoggedMessage } from "../events/read-log.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import { audienceOf } from "./audience.ts";

/** An event as its visitor sees it, written as a frame; the same for all streams of the visitor. */
export function writeForVisitor({ event, conversation, message }: LogEntry): string {
  const frame: VisitorEventFrame = {
    type: "event",
    number: event.number,
    name: event.name,
    at: isoTime(event.occurred_at),
    ...(conversation && { conversation: presentChatConversation(conversation) }),
    ...(message && { message: presentChatMessage(message) }),
    ...(audienceOf(event.name).shows === "data" && { contact: contactIn(event.data) }),
  };
  return JSON.stringify(frame);
}

/**
 * An event as the team sees it, written as a frame; the same for all agents who may see it.
 *
 * @param withConversation false when a later event of the same conversation is sent with it
 */
export function writeForTeam({ event, whole, message }: LogEntry, withConversation: boolean): string {
  const frame: AgentEventFrame = {
    type: "event",
    number: event.number,
    name: event.name,
    at: isoTime(event.occurred_at),
    ...(whole && withConversation && { conversation: presentLiveConversation(whole) }),
    ...(message && { message: presentLiveMessage(message) }),
  };
  const text = JSON.stringify(frame);
  if (audienceOf(event.name).shows !== "data") return text;
  // The log has it as JSON already.
  return `${text.slice(0, -1)},"data":${event.data}}`;
}

function presentLiveMessage(message: LoggedMessage): LiveMessage {
  return {
    ...presentChatMessage(message),
    type: message.message.type as LiveMessage["type"],
    sent_via: message.message.sent_via as LiveMessage["sent_via"],
  };
}

/** A conversation as the team sees it. */
export function presentLiveConversation(whole: WholeConversation): LiveConversation {
  const { conversation, contact, agents, tags, lastMessage } = whole;
  const { created_at, last_message_at, resolved_at, reopened_at } = conversation;
  return {
    id: conversation.id,
    widget_id: conversation.widget_id,
    channel: conversation.channel as Channel,
    contact: { id: contact.id, name: contact.name, email: contact.email },
    is_resolved: conversation.is_resolved === 1,
    unread_messages: conversation.unread_messages,
    last_message: lastMessage ? presentLast(lastMessage, conversation.last_message_number) : null,
    message_count: conversation.message_count,
    assigned_agents: agents.map(({ id, name, email }) => ({ id, name, email })),
    tags: tags.map(({ id, name, color }) => ({ id, name, color })),
    handoff_requested_at: isoTimeOrNull(conversation.handoff_requested_at),
    seen_number: conversation.visitor_seen_number,
    team_seen_number: conversation.team_seen_number,
    rating: presentRating(conversation),
    created_at: isoTime(created_at),
    updated_at: isoTime(Math.max(created_at, last_message_at, resolved_at ?? 0, reopened_at ?? 0)),
  };
}

function presentRating({ rating, rating_comment, rated_at }: ConversationRow): LiveConversation["rating"] {
  if (rating === null || rated_at === null) return null;
  return { score: rating, comment: rating_comment, rated_at: isoTime(rated_at) };
}

function presentLast(message: NonNullable<WholeConversation["lastMessage"]>, sortNumber: number): LiveLastMessage {
  return {
    id: message.id,
    sort_number: sortNumber,
    type: message.type as LiveLastMessage["type"],
    from: message.agent_id === null ? "visitor" : "agent",
    content: message.content ?? "",
    created_at: isoTime(message.created_at),
  };
}

/** The visitor of an event's payload, who has left out names. */
function contactIn(data: string): ChatContact {
  const { visitor } = JSON.parse(data) as { visitor: { id: string; name?: string; email: string | null } };
  return presentChatContact({ id: visitor.id, name: visitor.name ?? null, email: visitor.email });
}
