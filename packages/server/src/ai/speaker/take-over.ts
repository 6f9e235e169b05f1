import type { Operation } from "../../context.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { changeSpeaker } from "./change-speaker.ts";

/**
 * A human speaks in the conversation from now on: a turn of the AI that is under way says nothing any more. A repeat changes
 * nothing, and records nothing.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const takeOver: Operation<{ conversationId: string }, ConversationRow> = {
  name: "take-over",
  mode: "write",
  async run(ctx, { conversationId }) {
    const about = await findConversationWithPeople(ctx, conversationId);
    return changeSpeaker(ctx, about, { name: "taken-over" });
  },
};
