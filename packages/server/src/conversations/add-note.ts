import { canAct } from "@frontdesk/core/domain/agent";
import { traitsOf } from "@frontdesk/core/domain/channel";
import { hindered } from "@frontdesk/core/domain/refusal";
import { noteAuthorId, sentVia } from "../access/by-actor.ts";
import { agentById } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { addMessage, type WrittenMessage } from "./add-message.ts";
import { findConversationWithPeople } from "./find-conversation.ts";

/**
 * A note by a program, which the visitor never sees: an assistant's in the name of the agent who created its connection, an
 * automation's and the AI's in the name of the agent who speaks for it. What prevents a reply does not prevent a note. A repeat
 * adds another one. Specification: the tool add-note.
 *
 * @throws Refusal `not-found` for the conversation, `obstacle` when that agent is not (or no longer) one of the team
 */
export const addNote: Operation<{ conversationId: string; content: string }, WrittenMessage> = {
  name: "add-note",
  mode: "write",
  async run(ctx, { conversationId, content }) {
    const about = await findConversationWithPeople(ctx, conversationId);
    const agent = await author(ctx);
    if (!agent) throw hindered("no-author");
    const { origin } = traitsOf(about.conversation.channel);
    const written = { content, attachments: [], agent, origin, sentVia: sentVia(ctx.actor) };
    return addMessage(ctx, about, { from: "agent", type: "note", ...written });
  },
};

async function author(ctx: Context): Promise<AgentRow | undefined> {
  const id = noteAuthorId(ctx.actor);
  const agent = id === null ? undefined : await ctx.db.first(agentById, { team_id: ctx.teamId, id });
  return agent && canAct(agent) ? agent : undefined;
}
