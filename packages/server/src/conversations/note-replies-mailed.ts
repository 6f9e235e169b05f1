import type { Operation } from "../context.ts";
import { markMailed } from "./conversation-store.ts";
import { findConversation } from "./find-conversation.ts";
import { lookAgain, nextMailDue } from "./mailing.ts";

/**
 * Notes that the visitor was mailed the replies up to a sort number; later ones wait for their own time. A repeat changes
 * nothing. docs/decisions/0024-care-for-visitors.md
 */
export const noteRepliesMailed: Operation<{ conversationId: string; upTo: number }, void> = {
  name: "note-replies-mailed",
  mode: "write",
  async run(ctx, { conversationId, upTo }) {
    const before = await findConversation(ctx, conversationId);
    const conversation = { ...before, mailed_number: Math.max(before.mailed_number, upTo) };
    ctx.write(markMailed, conversation);
    lookAgain(ctx, conversation, await nextMailDue(ctx, conversation));
  },
};
