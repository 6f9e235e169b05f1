import type { AiMessageKind, AiState } from "@frontdesk/core/domain/ai/ai-state";
import { AFTER_FIRST_LINE, firstLineText } from "@frontdesk/core/domain/ai/handoff-texts";
import { traitsOf } from "@frontdesk/core/domain/channel";
import { agentById } from "../../agents/agent-store.ts";
import { contactById } from "../../contacts/contact-store.ts";
import type { Context } from "../../context.ts";
import { addMessage } from "../../conversations/add-message.ts";
import { conversationById } from "../../conversations/conversation-store.ts";
import type { ConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { AiSettingsRow, ContactRow, ConversationRow, MessageRow } from "../../storage/tables.ts";
import { aiHasSpoken } from "../outcomes/keep-ai-episode.ts";
import { insertAiMessage } from "../runs/run-store.ts";
import type { AiSource } from "./turn.ts";
import { visitorLanguage } from "./visitor-language.ts";

/**
 * Writes a message of the AI in the name of its own agent. The first one of an episode begins by telling that it is an AI.
 * Whatever else the caller has changed in the conversation is stored with it.
 */
export async function sayAsAi(
  ctx: Context,
  about: ConversationWithPeople,
  said: {
    row: AiSettingsRow;
    kind: AiMessageKind;
    text: string;
    sources: readonly AiSource[];
    runId: string;
    /** Of before this message. */
    state: AiState;
  },
): Promise<{ message: MessageRow; conversation: ConversationRow }> {
  const { row, kind, sources, runId, state } = said;
  const [agent, contact] = await Promise.all([
    ctx.db.first(agentById, { team_id: ctx.teamId, id: row.agent_id }),
    ctx.db.first(contactById, { team_id: ctx.teamId, id: about.contact.id }),
  ]);
  if (!agent) throw new Error("The agent of the AI is gone.");
  const greeting = await greetingOf(ctx, { conversationId: about.conversation.id, contact, row, state });
  const { message } = addMessage(ctx, about, {
    ...{ from: "agent", type: "message", agent, attachments: [], sentVia: "ai" },
    ...{ content: `${greeting}${said.text}`, origin: traitsOf(about.conversation.channel).origin },
    isNoAnswer: kind === "handoff",
  });
  ctx.write(insertAiMessage, {
    ...{ team_id: ctx.teamId, message_id: message.id, conversation_id: about.conversation.id, run_id: runId, kind },
    sources: JSON.stringify(sources),
  });
  await aiHasSpoken(ctx, about.conversation, { kind, sources, contact });
  const conversation = await ctx.db.first(conversationById, { team_id: ctx.teamId, id: about.conversation.id });
  if (!conversation) throw new Error("A conversation that was written to is gone.");
  return { message, conversation };
}

/** What the first message of an episode begins with: that it is an AI's; "" for the others. */
export async function greetingOf(
  ctx: Context,
  {
    conversationId,
    contact,
    row,
    state,
  }: { conversationId: string; contact: ContactRow | undefined; row: AiSettingsRow; state: AiState },
): Promise<string> {
  if (state.lastKind !== null) return "";
  return `${firstLineText(await visitorLanguage(ctx, conversationId, contact), row.name)}${AFTER_FIRST_LINE}`;
}
