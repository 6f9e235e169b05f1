import { traitsOf } from "@frontdesk/core/domain/channel";
import type { Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { type AgentFaceRow, agentFaces } from "./conversation-store.ts";
import { findConversation } from "./find-conversation.ts";

/** What a frame about typing or viewing shows of a conversation. */
export interface PresenceDetails {
  /** The contact whose browser shows the conversation; null in channels outside of browsers. */
  contactId: string | null;
  /** The agent; undefined for the visitor. */
  agent: AgentFaceRow | undefined;
}

/**
 * What is needed to announce that an agent or the visitor types in a conversation; nothing is stored.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const getPresenceDetails: Operation<{ conversationId: string; agentId: string | undefined }, PresenceDetails> = {
  name: "get-presence-details",
  mode: "read",
  async run(ctx, { conversationId, agentId }) {
    const [{ contact_id, channel }, faces] = await Promise.all([
      findConversation(ctx, conversationId),
      agentId === undefined ? [] : ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam([agentId]) }),
    ]);
    return { contactId: traitsOf(channel).inBrowser ? contact_id : null, agent: faces[0] };
  },
};
