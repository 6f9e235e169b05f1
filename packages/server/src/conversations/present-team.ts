import type { LiveConversation, LiveLastMessage, LiveMessage } from "@frontdesk/core/contract/live";
import type { LiveDelivery } from "@frontdesk/core/contract/live-mail";
import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import type { AiMessageKind } from "@frontdesk/core/domain/ai/ai-state";
import { withoutFirstLine } from "@frontdesk/core/domain/ai/handoff-texts";
import type { Channel } from "@frontdesk/core/domain/channel";
import type { MessageDelivery } from "../channels/message-delivery.ts";
import { presentNamed, type SaidReason } from "../channels/stored-reason.ts";
import { presentLiveEmail } from "../email/present-live-email.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { ConversationView } from "./conversation-view.ts";
import type { ListedMessageRow } from "./message-store.ts";
import { presentChatMessage, redaction } from "./present-chat.ts";
import { presentFace } from "./present-face.ts";
import type { TeamMessage } from "./team-message.ts";

/** A list shows one line of a message. */
const LINE_LENGTH = 300;

/** A message as the team sees it, in the live stream and in its inbox. */
export function presentLiveMessage(message: TeamMessage): LiveMessage {
  return {
    ...presentChatMessage(message),
    agent: message.agent ? presentFace(message.agent) : null,
    type: message.message.type as LiveMessage["type"],
    sent_via: message.message.sent_via as LiveMessage["sent_via"],
    mentions: message.mentions,
    ...(message.ai && { ai: { run_id: message.ai.run_id, kind: message.ai.kind as AiMessageKind } }),
    ...(message.message.drafted_with_ai === 1 && { drafted_with_ai: true }),
    ...(message.delivery && { delivery: presentLiveDelivery(message.delivery) }),
    ...(message.mail && { email: presentLiveEmail(message.mail) }),
    ...(message.mail && hasOriginal(message) && { mail: { has_html: message.mail.has_html === 1 } }),
  };
}

/** One that is sent gets it before its first attempt; one that was sent elsewhere came with it. */
const hasOriginal = ({ message, mail }: TeamMessage): boolean =>
  message.content !== null &&
  ((mail?.raw_file ?? null) !== null || (mail?.direction === "out" && message.sent_via !== "channel"));

function presentLiveDelivery(delivery: MessageDelivery): LiveDelivery {
  const { state, reason, at, dueAt, attempts, recipients = [] } = delivery;
  const ended = attempts.findLast((attempt) => attempt.state !== "sending");
  const isRetried = (state === "queued" || state === "sending") && ended?.state === "delayed";
  return {
    state,
    // What another mail server still tries is sent, for ours.
    is_delayed: isRetried || (state === "sent" && reason !== null),
    ...presentSaid(reason === null && isRetried ? ended : delivery),
    at: isoTime(at),
    due_at: isoTimeOrNull(dueAt),
    recipients: recipients.map((to) => ({ address: to.address, state: to.state, ...presentSaid(to) })),
  };
}

const presentSaid = ({ reason, named }: SaidReason) => ({
  reason,
  ...(named && { named_reason: presentNamed(named) }),
});

/** A conversation as the team sees it, in the live stream and in its inbox. */
export function presentLiveConversation(view: ConversationView): LiveConversation {
  const { conversation, contact, agents, tags, mentions, lastMessage, openQuestion } = view;
  const { created_at, last_message_at, resolved_at, reopened_at, woken_at } = conversation;
  return {
    id: conversation.id,
    widget_id: conversation.widget_id,
    channel: conversation.channel as Channel,
    channel_id: conversation.account_id,
    subject: conversation.email_subject,
    contact: { id: contact.id, name: contact.name, email: contact.email },
    is_resolved: conversation.is_resolved === 1,
    unread_messages: conversation.unread_messages,
    last_message: lastMessage ? presentLast(withoutGreeting(lastMessage), conversation.last_message_number) : null,
    open_question: openQuestion ? presentLast(openQuestion, openQuestion.sort_number) : null,
    message_count: conversation.message_count,
    assigned_agents: agents.map(({ id, name, email }) => ({ id, name, email })),
    tags: tags.map(({ id, name, color }) => ({ id, name, color })),
    handoff_requested_at: isoTimeOrNull(conversation.handoff_requested_at),
    speaker: conversation.speaker as Speaker,
    seen_number: conversation.visitor_seen_number,
    team_seen_number: conversation.team_seen_number,
    rating: presentRating(conversation),
    is_verified: contact.verified_id !== null,
    is_blocked: contact.blocked_at !== null,
    snoozed_until: isoTimeOrNull(conversation.snoozed_until),
    snoozed_until_reply: conversation.snoozed_until_reply === 1,
    woken_at: isoTimeOrNull(woken_at),
    mentions: [...mentions.keys()],
    mention_numbers: Object.fromEntries(mentions),
    waiting_since: isoTimeOrNull(conversation.waiting_since),
    is_answered: conversation.episode_replies + conversation.episode_assistant_replies > 0,
    // As the database orders by (migration 15).
    active_at: isoTime(Math.max(last_message_at, woken_at ?? 0)),
    created_at: isoTime(created_at),
    updated_at: isoTime(Math.max(created_at, last_message_at, resolved_at ?? 0, reopened_at ?? 0)),
  };
}

function presentRating({ rating, rating_comment, rated_at }: ConversationRow): LiveConversation["rating"] {
  if (rating === null || rated_at === null) return null;
  return { score: rating, comment: rating_comment, rated_at: isoTime(rated_at) };
}

/** In a list, the line that each first message of the AI has would hide what it says. */
function withoutGreeting(message: NonNullable<ConversationView["lastMessage"]>): ListedMessageRow {
  return message.sent_via === "ai" && message.content !== null
    ? { ...message, content: withoutFirstLine(message.content) }
    : message;
}

function presentLast(message: ListedMessageRow, sortNumber: number): LiveLastMessage {
  return {
    id: message.id,
    sort_number: sortNumber,
    type: message.type as LiveLastMessage["type"],
    from: message.agent_id === null ? "visitor" : "agent",
    content: (message.content ?? "").slice(0, LINE_LENGTH).toWellFormed(),
    created_at: isoTime(message.created_at),
    ...redaction(message),
  };
}
