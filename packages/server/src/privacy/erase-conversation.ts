import { doer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";
import type { ErasureRow } from "../storage/tables.ts";
import { beginErasure } from "./begin-erasure.ts";
import { refuseHeld } from "./erase-contact.ts";
import { hideConversations, nextEventNumber } from "./hide-conversations.ts";

interface ConversationToErase {
  conversationId: string;
  reason?: string | undefined;
  /** It was erased before, and a restored backup has it again: a hold of that time had ended. */
  again?: true;
}

/**
 * Erases a conversation with its messages; its contact stays. From this commit on its id is unknown.
 *
 * @throws Refusal `not-found` for the conversation; `conflict` while its contact is on hold
 */
export const eraseConversation: Operation<ConversationToErase, ErasureRow> = {
  name: "erase-conversation",
  mode: "write",
  async run(ctx, { conversationId, reason, again }) {
    const { conversation, contact } = await findConversationWithPeople(ctx, conversationId);
    if (!again) await refuseHeld(ctx, conversation.contact_id);
    const of = { contact_id: conversation.contact_id, conversation_id: conversation.id };
    const by = await doer(ctx, undefined);
    const erasure = beginErasure(ctx, { what: "conversation", of, by, reason, erased: { conversations: 1 } });
    hideConversations(ctx, erasure.id, [conversation], await nextEventNumber(ctx));
    const erased = { contactId: conversation.contact_id, conversationIds: [conversation.id] };
    ctx.record({ name: "erasure.started", erased, contact });
    ctx.enqueue({ kind: "erase", payload: { erasureId: erasure.id } });
    return erasure;
  },
};
