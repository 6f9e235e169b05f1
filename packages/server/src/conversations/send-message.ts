import { canAct, canBeChosen } from "@frontdesk/core/domain/agent";
import { traitsOf } from "@frontdesk/core/domain/channel";
import { replyObstacle } from "@frontdesk/core/domain/conversation";
import { canonicalId } from "@frontdesk/core/domain/id";
import { hindered, invalid, notFound } from "@frontdesk/core/domain/refusal";
import { isHeldByObstacles, sentVia } from "../access/by-actor.ts";
import { actingAgent } from "../agents/acting-agent.ts";
import { agentById } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import { keepReply, prepareReply, requireMailSize } from "../email/out/reply-by-mail.ts";
import { takeFiles } from "../files/take-files.ts";
import type { AgentRow } from "../storage/tables.ts";
import { addMessage, type NewAttachment, type WrittenMessage } from "./add-message.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

export interface AgentMessageInput {
  conversationId: string;
  /** When given, the conversation must belong to this widget. */
  widgetId?: string | null | undefined;
  type: "message" | "note";
  content: string | null | undefined;
  agentId: string | null | undefined;
  attachments: NewAttachment[];
  /** The id that the agent's browser gave it. */
  clientId?: string | undefined;
  /** The ids of the agents that a note mentions. */
  mentions?: readonly string[] | undefined;
  /** The copilot has written a part of it. */
  draftedWithAi?: boolean | undefined;
}

/**
 * An agent replies, or writes a note, which the visitor never sees. Without `agentId` the actor's own agent is the writer
 * (decision 21). A reply to a resolved conversation does not reopen it (decision 22). An assistant does not reply when an
 * obstacle prevents it (decisions 58 and 69). Specification: POST /messages, the tool send-message.
 *
 * @throws Refusal `not-found` for the conversation, `obstacle`, or `invalid` on `conversation_id`, `content`, `attachments`,
 *   `agent_id` or `mentions.0`
 */
export const sendMessage: Operation<AgentMessageInput, WrittenMessage> = {
  name: "send-message",
  mode: "write",
  async run(
    ctx,
    { conversationId, widgetId, type, content, agentId, attachments, clientId, mentions = [], draftedWithAi },
  ) {
    requireContent({ content, attachments });
    // Read in parallel with the conversation; a missing conversation is still reported first.
    const acting = actingAgent(ctx, agentId);
    acting.catch(() => {});
    const about = await findConversationWithPeople(ctx, conversationId);
    if (widgetId != null && canonicalId(widgetId) !== about.widget.id) throw notFound("conversation");
    const actsAlone = isHeldByObstacles(ctx.actor);
    const mail =
      type === "message" && about.conversation.channel === "email"
        ? await prepareReply(ctx, about.conversation)
        : undefined;
    const obstacle = actsAlone && replyObstacle(about.conversation, about.contact);
    if (obstacle) throw hindered(obstacle);
    const agent = await acting;
    if (actsAlone && !(agent && canAct(agent))) throw hindered("no-agent");
    if (!agent) throw invalid({ agent_id: "agent-missing" });
    const [taken, named] = await Promise.all([takeFiles(ctx, attachments), agentsNamed(ctx, type, mentions)]);
    const written = {
      type,
      content: content ?? "",
      attachments: taken,
      agent,
      clientId,
      mentions: named,
      draftedWithAi,
    };
    if (mail) requireMailSize(taken);
    const { origin } = traitsOf(about.conversation.channel);
    const sent = addMessage(ctx, about, { from: "agent", ...written, origin, sentVia: sentVia(ctx.actor) });
    if (mail) keepReply(ctx, mail, sent.message, agent);
    return sent;
  },
};

/** @throws Refusal `invalid` on `content` for a message without text and files */
export function requireContent({ content, attachments }: Pick<AgentMessageInput, "content" | "attachments">): void {
  if (!content && attachments.length === 0) throw invalid({ content: "message-empty" });
}

/** A reply mentions no agent: its visitor would see it. */
async function agentsNamed(ctx: Context, type: "message" | "note", ids: readonly string[]): Promise<AgentRow[]> {
  if (type === "message" || ids.length === 0) return [];
  const agents = await Promise.all(ids.map((id) => ctx.db.first(agentById, { team_id: ctx.teamId, id })));
  const wrong = agents.flatMap((agent, index) =>
    agent && canBeChosen(agent) ? [] : [[`mentions.${index}`, "no-such-agent"] as const],
  );
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong));
  return agents.filter((agent) => agent !== undefined);
}
