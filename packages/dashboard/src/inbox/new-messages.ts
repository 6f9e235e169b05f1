/** Detects new messages by comparing states of the inbox. */
import type { AgentInboxState } from "@frontdesk/client/agent";
import type { LiveConversation, LiveLastMessage } from "@frontdesk/core/contract/live";
import { theInbox } from "./live-inbox.ts";

export interface NewMessage {
  conversation: LiveConversation;
  message: LiveLastMessage;
  /** Whether it mentions the signed-in agent. */
  namesMe: boolean;
  /** The built-in AI has handed the conversation over, with this message. */
  isHandoff: boolean;
}

/** Calls `listener` for every new message; returns a function that stops it. */
export function onNewMessage(listener: (message: NewMessage) => void): () => void {
  const { getState, subscribe } = theInbox();
  const since = new Date().toISOString();
  let before = getState();
  return subscribe(() => {
    const now = getState();
    if (now.conversations === before.conversations) return;
    const newMessages = newMessagesBetween(before, now, since);
    before = now;
    for (const each of newMessages) listener(each);
  });
}

function newMessagesBetween(before: AgentInboxState, now: AgentInboxState, since: string): NewMessage[] {
  return [...now.conversations].flatMap(([id, known]) => {
    const earlier = before.conversations.get(id);
    if (earlier === known) return [];
    const { confirmed: conversation } = known;
    const message = conversation.last_message;
    if (!message || message.created_at < since) return [];
    const isHandoff = conversation.speaker === "waiting" && earlier?.confirmed.speaker === "ai";
    if (message.id === earlier?.confirmed.last_message?.id && !isHandoff) return [];
    const namesMe = message.type === "note" && conversation.mentions.includes(now.me);
    return [{ conversation, message, namesMe, isHandoff }];
  });
}
