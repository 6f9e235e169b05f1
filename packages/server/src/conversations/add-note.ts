import { canAct } from "@frontdesk/core/domain/agent";
import { hindered } from "@frontdesk/core/domain/refusal";
import { agentById } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { addMessage, type WrittenMessage } from "./add-message.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * An assistant keeps a note in a conversation, which the visitor never sees, in the name of whoever made its connection.
 * Nothing that stands in the way of a reply stands in the way of a note. A repeat adds another one.
 * Specification: the tool add-note.
 *
 * @throws Refusal `not-found` for the conversation, `obstacle` when its maker is no agent of the team (any more)
 */
export const addNote: Operation<{ conversationId: string; content: string }, WrittenMessage> = {
  name: "add-note",
  mode: "write",
  async run(ctx, { conversationId, content }) {
    const about = await findConversationWithPeople(ctx, conversationId);
    const agent = await author(ctx);
    if (!agent) throw hindered("no-author");
    return addMessage(ctx, about, { from: "agent", type: "note", content, attachments: [], agent });
  },
};

async function author(ctx: Context): Promise<AgentRow | undefined> {
  if (ctx.actor.kind !== "assistant") throw new Error("Others note by send-message.");
  const { createdBy } = ctx.actor;
  const agent = createdBy === null ? undefined : await ctx.db.first(agentById, { team_id: ctx.teamId, id: createdBy });
  return agent && canAct(agent) ? agent : undefined;
}
