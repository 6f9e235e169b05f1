import type { ToolAgent } from "@frontdesk/core/contract/tool-resources";
import { assignConversation, listAgents } from "@frontdesk/core/contract/tools/agents";
import { findAgents } from "../agents/find-agents.ts";
import { assignSeveral } from "../assistants/assign-several.ts";
import { planAssignment } from "../assistants/plans.ts";
import { fitting } from "./fitting.ts";
import { presentQueued } from "./present-queued.ts";
import { presentToolPerson } from "./present-tool-conversation.ts";
import { serve, serveConfirmed } from "./served-tool.ts";

export const agentTools = [
  serve(
    listAgents,
    findAgents,
    ({ query, limit }) => ({ query, limit }),
    (found) => ({
      agents: fitting(
        found.map(({ status, online_status, ...person }) => ({
          ...presentToolPerson(person),
          status: status as ToolAgent["status"],
          online_status: online_status as ToolAgent["online_status"],
        })),
      ),
    }),
  ),
  serveConfirmed(
    assignConversation,
    assignSeveral,
    planAssignment,
    ({ conversation_ids, agent_id, agent_query }) => ({
      conversationIds: conversation_ids,
      agentId: agent_id,
      agentQuery: agent_query,
    }),
    (assigned) => {
      if ("candidates" in assigned) {
        return { ambiguous: true as const, candidates: fitting(assigned.candidates.map(presentToolPerson)) };
      }
      const agent = presentToolPerson(assigned.agent);
      return presentQueued(assigned.changed, (assigned_conversation_ids) => ({
        agent_id: agent.id,
        agent,
        assigned_conversation_ids,
      }));
    },
  ),
];
