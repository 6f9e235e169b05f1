import type { Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { type AgentFaceRow, agentFaces } from "./conversation-store.ts";
import { findConversation } from "./find-conversation.ts";

/** Who types where, as it is told to those who see it. */
export interface WhoTypes {
  /** Whose conversation it is. */
  contactId: string;
  /** The agent; undefined for the visitor. */
  agent: AgentFaceRow | undefined;
}

/**
 * What has to be known to tell that somebody types in a conversation: nothing is stored.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const tellWhoTypes: Operation<{ conversationId: string; agentId: string | undefined }, WhoTypes> = {
  name: "tell-who-types",
  mode: "read",
  async run(ctx, { conversationId, agentId }) {
    const [{ contact_id: contactId }, faces] = await Promise.all([
      findConversation(ctx, conversationId),
      agentId === undefined ? [] : ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam([agentId]) }),
    ]);
    return { contactId, agent: faces[0] };
  },
};
