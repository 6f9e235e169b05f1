import type { InboxPeople } from "@frontdesk/core/contract/inbox";
import type { LiveConversation } from "@frontdesk/core/contract/live";

/** Whether a conversation can be given back: to the assistant that handed it over, or to the built-in AI where that answers. */
export function canReturn(conversation: LiveConversation, ai: InboxPeople["ai"]): boolean {
  const { handoff_requested_at, is_resolved, speaker, widget_id, channel } = conversation;
  if (is_resolved || speaker === "ai") return false;
  if (handoff_requested_at !== null) return true;
  if (!ai?.is_active) return false;
  return ai.channels.includes(channel) && (ai.widgets === "all" || ai.widgets.includes(widget_id));
}
