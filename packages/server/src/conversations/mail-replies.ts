import type { Operation } from "../context.ts";
import type { FiredTimer } from "../timers/timer.ts";
import { findConversation } from "./find-conversation.ts";
import { lookAfterMail, lookAgain, whetherToMail } from "./mailing.ts";
import { claimMailSlot } from "./visitor-mail-bound.ts";

/**
 * Run by the timer `mail-replies` of a conversation: a job mails its unseen replies, or the next check is scheduled, if any
 * (`mailing.ts` has the diagram). docs/decisions/0024-care-for-visitors.md
 *
 * @throws Refusal `not-found` for the conversation
 */
export const mailReplies: Operation<FiredTimer<"mail-replies">, void> = {
  name: "mail-replies",
  mode: "write",
  async run(ctx, { subjectId: conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const afterMail = await lookAfterMail(ctx, conversation);
    if (afterMail !== undefined) return lookAgain(ctx, conversation, afterMail);
    const decision = await whetherToMail(ctx, conversation);
    if (!decision.send) return lookAgain(ctx, conversation, decision.lookAt);
    const notBefore = await claimMailSlot(ctx, decision.contact, { conversationId, upTo: decision.upTo });
    if (notBefore !== undefined) return lookAgain(ctx, conversation, notBefore);
    ctx.enqueue({ kind: "send-replies-mail", payload: { conversationId }, queueKey: conversation.id });
  },
};
