import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { type ConversationView, conversationViews } from "../conversations/conversation-view.ts";
import { countersOf } from "../teams/team-counters.ts";

/** A conversation as the team sees it, and the number of the team's log up to which it is certainly current. */
export interface ShownConversation {
  conversation: ConversationView;
  number: number;
}

/**
 * An operation on one conversation that returns how the team sees the conversation after it, of the same commit. The events of
 * the change itself have numbers above the answer's: the stream will send them.
 */
export function shownAfter<Input extends { conversationId: string }>(
  operation: Operation<Input, unknown>,
): Operation<Input, ShownConversation> {
  return {
    name: operation.name,
    mode: operation.mode,
    async run(ctx, input) {
      await operation.run(ctx, input);
      return conversationNow(ctx, input.conversationId);
    },
  };
}

/** @throws Refusal `not-found` */
export async function conversationNow(ctx: Context, conversationId: string): Promise<ShownConversation> {
  const id = canonicalId(conversationId);
  const [byId, { event_number: number }] = await Promise.all([conversationViews(ctx, id ? [id] : []), countersOf(ctx)]);
  const conversation = id && byId.get(id);
  if (!conversation) throw notFound("conversation");
  return { conversation, number };
}
