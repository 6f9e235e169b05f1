import { searchable } from "@frontdesk/core/domain/search-text";
import type { ChannelAccount } from "../channels/channel-account.ts";
import { countConversations } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { listOf } from "./conversation-lists.ts";
import { insertConversation } from "./conversation-store.ts";
import { FIRST_EPISODE } from "./episodes.ts";
import type { ConversationWithPeople } from "./find-conversation.ts";

/** What a new conversation is made from. */
export interface Start {
  account: ChannelAccount;
  contact: ConversationWithPeople["contact"];
  /** The page it came from. */
  firstPageUrl: string | null;
  /**
   * No event says that there is a new conversation, and it is resolved from the start: nothing reacts to one that no human has begun, and
   * no open list has it. Its first episode begins when it is reopened.
   */
  isQuiet?: boolean | undefined;
  /** Of a mail conversation: what its first mail gives it. */
  email?: { subject: string; externalIdentifier: string | null } | undefined;
}

/** Starts a conversation of `contact` in an account, without a message; the caller adds the first one in the same commit. */
export function startConversation(
  ctx: Context,
  { account, contact, firstPageUrl, email, isQuiet }: Start,
): ConversationWithPeople {
  const widget = account.homeWidget;
  const conversation: ConversationRow = {
    team_id: ctx.teamId,
    id: ctx.newId(),
    contact_id: contact.id,
    account_id: account.id,
    widget_id: widget.id,
    channel: account.channel,
    is_resolved: isQuiet ? 1 : 0,
    resolved_at: isQuiet ? ctx.now : null,
    resolved_by: null,
    reopened_at: null,
    unread_messages: 0,
    last_message_at: ctx.now,
    last_message_number: 0,
    last_sort_number: 0,
    message_count: 0,
    first_page_url: firstPageUrl,
    created_at: ctx.now,
    handoff_requested_at: null,
    visitor_seen_number: 0,
    team_seen_number: 0,
    rating: null,
    rating_comment: null,
    rated_at: null,
    mailed_number: 0,
    texts_erased_to: 0,
    assigned_count: 0,
    snoozed_until: null,
    snoozed_until_reply: 0,
    woken_at: null,
    ...FIRST_EPISODE,
    ...(isQuiet && { episode: 0 }),
    email_subject: email?.subject ?? null,
    email_subject_folded: searchable(email?.subject ?? ""),
    external_identifier: email?.externalIdentifier ?? null,
    speaker: "human",
    ai_state: null,
  };
  ctx.write(insertConversation, conversation);
  ctx.write(countConversations, { team_id: ctx.teamId, id: contact.id, change: 1 });
  ctx.count("conversations", 1);
  if (!isQuiet) ctx.count("open_conversations", 1);
  ctx.moveInList(listOf(conversation), undefined, conversation.last_message_at);
  if (!isQuiet) ctx.record({ name: "conversation.created", conversation, contact, widget });
  return { conversation, contact, widget };
}
