import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { visitorOf } from "../../access/actor.ts";
import type { Operation } from "../../context.ts";
import { conversationById } from "../../conversations/conversation-store.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { logRun, withoutCalls } from "../runs/log-run.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { handOver } from "../turn/hand-over.ts";
import { deleteTurn } from "../turn/turn-store.ts";

/**
 * "Talk to a person": the visitor's conversation is handed over at once, whatever the AI is about to say. Where the AI does not
 * speak, a repeat included, nothing changes.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const askForPerson: Operation<{ conversationId: string }, ConversationRow> = {
  name: "ask-for-person",
  mode: "write",
  async run(ctx, { conversationId }) {
    const { contactId } = visitorOf(ctx);
    const about = await findConversationWithPeople(ctx, conversationId);
    const { conversation } = about;
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    const isAi = conversation.speaker === ("ai" satisfies Speaker) && conversation.is_resolved === 0;
    if (!isAi || !row || contactId === undefined) return conversation;
    const itself = { team_id: ctx.teamId, conversation_id: conversation.id };
    ctx.write(deleteTurn, itself);
    const runId = ctx.newId();
    const requestedBy = { visitor: { id: contactId } };
    const message = await handOver(ctx, about, { row, reason: "pressed-for-human", runId, requestedBy });
    const ended = { outcome: "handed-over", reason: "pressed-for-human" } as const;
    const log = withoutCalls(ctx.now);
    logRun(ctx, conversation, { id: runId, ...ended, row, messageId: message.id, sources: [], log });
    const after = await ctx.db.first(conversationById, { team_id: ctx.teamId, id: conversation.id });
    return after ?? conversation;
  },
};
