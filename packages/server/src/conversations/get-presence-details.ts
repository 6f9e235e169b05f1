import { traitsOf } from "@frontdesk/core/domain/channel";
import type { Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { type AgentFaceRow, agentFaces } from "./conversation-store.ts";
import { findConversation } from "./find-conversation.ts";

/** Who types where, as it is told to those who see it. */
export interface WhoTypes {
  /** The contact whose browser shows the conversation; null where none does. */
  contactId: string | null;
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
    const [{ contact_id, channel }, faces] = await Promise.all([
      findConversation(ctx, conversationId),
      agentId === undefined ? [] : ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam([agentId]) }),
    ]);
    return { contactId: traitsOf(channel).inBrowser ? contact_id : null, agent: faces[0] };
  },
};
