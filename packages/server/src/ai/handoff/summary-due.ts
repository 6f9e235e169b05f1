import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { type AiState, readAiState } from "@frontdesk/core/domain/ai/ai-state";
import type { SentVia } from "@frontdesk/core/domain/conversation";
import type { Context } from "../../context.ts";
import { type ConversationWithPeople, findConversationWithPeople } from "../../conversations/find-conversation.ts";
import { listParam } from "../../storage/dialect.ts";
import { type AiAtWork, aiAtWork } from "../speaker/ai-at-work.ts";
import { writtenByPerson } from "./handoff-store.ts";

/** The handoff of a conversation, by the sort number of its words. */
export interface Handoff {
  conversationId: string;
  words: number;
}

export interface DueSummary {
  ai: AiAtWork;
  about: ConversationWithPeople;
  state: AiState;
}

/** How people write, or programs that write in their name. */
const PEOPLES: readonly SentVia[] = ["dashboard", "api", "channel"];

/**
 * Undefined when the handoff is not to be summed up any more: it is, or is over, a person has written, or the AI is off.
 *
 * @throws Refusal `not-found` for a conversation that is erased
 */
export async function summaryDue(ctx: Context, { conversationId, words }: Handoff): Promise<DueSummary | undefined> {
  const [about, ai] = await Promise.all([findConversationWithPeople(ctx, conversationId), aiAtWork(ctx)]);
  const { conversation } = about;
  const state = readAiState(conversation.ai_state);
  const isDue = state.summaryDue === words && conversation.is_resolved === 0;
  if (!ai || !isDue || conversation.speaker === ("ai" satisfies Speaker)) return undefined;
  const byPerson = await ctx.db.first(writtenByPerson, {
    ...{ team_id: ctx.teamId, conversation_id: conversation.id, after: words, vias: listParam(PEOPLES) },
  });
  return byPerson ? undefined : { ai, about, state };
}
