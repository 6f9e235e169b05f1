import type { Operation } from "../context.ts";
import { openConversationCount } from "../conversations/conversation-store.ts";
import { findAgent } from "./find-agent.ts";

/**
 * How many conversations that are not resolved are assigned to an agent: what deactivating them would leave behind.
 *
 * @throws Refusal `not-found`
 */
export const countOpenConversations: Operation<{ agentId: string }, number> = {
  name: "count-open-conversations",
  mode: "read",
  async run(ctx, { agentId }) {
    const agent = await findAgent(ctx, agentId);
    const found = await ctx.db.first(openConversationCount, { team_id: ctx.teamId, agent_id: agent.id });
    return found?.total ?? 0;
  },
};
