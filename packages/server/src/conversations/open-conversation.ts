import { traitsOf } from "@frontdesk/core/domain/channel";
import { accountAddress } from "../channels/account-settings.ts";
import { channelAccountById } from "../channels/channel-account-store.ts";
import { contactById } from "../contacts/contact-store.ts";
import type { Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { ContactRow, ConversationRow } from "../storage/tables.ts";
import { type AssignedAgentRow, assignedAgents } from "./conversation-store.ts";
import { findConversation } from "./find-conversation.ts";
import { type ListedMessageRow, latestMessages } from "./message-store.ts";

/** A conversation with everything that a tool shows of it. */
export interface OpenedConversation {
  /** `resolved_by` is JSON (decision 47); `message_count` counts all but system lines. */
  conversation: ConversationRow;
  contact: ContactRow;
  /** First assigned first, including agents deactivated since. */
  agents: AssignedAgentRow[];
  /** Undefined while there are only system lines. */
  lastMessage: ListedMessageRow | undefined;
  /** Of the account that it belongs to; null for a widget's. */
  accountAddress: string | null;
}

/**
 * One conversation. It stays as unread as it was: only people read for the team. Specification: the tool get-conversation.
 *
 * @throws Refusal `not-found`
 */
export const openConversation: Operation<{ conversationId: string }, OpenedConversation> = {
  name: "open-conversation",
  mode: "read",
  async run(ctx, { conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const itself = { team_id: ctx.teamId, conversation_ids: listParam([conversation.id]) };
    const [contact, agents, lastMessage, account] = await Promise.all([
      ctx.db.first(contactById, { team_id: ctx.teamId, id: conversation.contact_id }),
      ctx.db.all(assignedAgents, itself),
      ctx.db.first(latestMessages, itself),
      traitsOf(conversation.channel).byWidget
        ? undefined
        : ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: conversation.account_id }),
    ]);
    if (!contact) throw new Error(`The conversation ${conversation.id} has no contact.`);
    return { conversation, contact, agents, lastMessage, accountAddress: account ? accountAddress(account) : null };
  },
};
