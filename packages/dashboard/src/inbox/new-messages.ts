/** Finds the messages that have come since the page was opened, as the state of the inbox changes. */
import type { AgentInboxState } from "@frontdesk/client/agent";
import type { LiveConversation, LiveLastMessage } from "@frontdesk/core/contract/live";
import { theInbox } from "./live-inbox.ts";

export interface NewMessage {
  conversation: LiveConversation;
  message: LiveLastMessage;
  /** Whether it mentions the signed-in agent, for the first time in this conversation or again. */
  namesMe: boolean;
}

/** Calls `listener` for every message that comes from now on; the returned function ends it. */
export function onNewMessage(listener: (news: NewMessage) => void): () => void {
  const { getState, subscribe } = theInbox();
  const since = new Date().toISOString();
  let before = getState();
  return subscribe(() => {
    const now = getState();
    if (now.conversations === before.conversations) return;
    const news = newMessagesBetween(before, now, since);
    before = now;
    for (const each of news) listener(each);
  });
}

function newMessagesBetween(before: AgentInboxState, now: AgentInboxState, since: string): NewMessage[] {
  return [...now.conversations].flatMap(([id, known]) => {
    const earlier = before.conversations.get(id);
    if (earlier === known) return [];
    const { confirmed: conversation } = known;
    const message = conversation.last_message;
    if (!message || message.id === earlier?.confirmed.last_message?.id || message.created_at < since) return [];
    const namesMe = message.type === "note" && conversation.mentions.includes(now.me);
    return [{ conversation, message, namesMe }];
  });
}
