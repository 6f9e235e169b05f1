/** The tools on agents and assignments (spec, "Assistant tool interface"; decisions 52, 53). */
import { Type } from "typebox";
import { ids } from "../examples.ts";
import { SEARCH_MAX, text, uuid } from "../fields.ts";
import { CHANGES, READS, type Tool } from "../tool.ts";
import { ada, exampleToken } from "../tool-examples.ts";
import {
  CONFIRMATION_SENTENCE,
  confirmationToken,
  conversationIds,
  defaulted,
  limit,
  toolInput,
} from "../tool-fields.ts";
import { ConfirmationRequired, oneShapeOf, Queued, ToolAgent, ToolPerson } from "../tool-resources.ts";

export const listAgents = {
  name: "list-agents",
  title: "List agents",
  description:
    "Lists the agents of the team, or those whose name or e-mail holds the query, up to 100. Deactivated agents are left out.",
  permission: "assign_conversations",
  annotations: READS,
  // The specification gives the query no bound: an empty one is no filter, as in the searches of REST (decision 1).
  input: toolInput({
    query: Type.Optional(text(SEARCH_MAX)),
    limit: defaulted(limit({ default: 50, max: 100 })),
  }),
  output: Type.Object({ agents: Type.Array(ToolAgent) }),
  performs: "find-agents",
  example: {
    input: { query: "ada" },
    output: { agents: [{ ...ada, status: "active", online_status: "online" }] },
  },
} as const satisfies Tool;

const Assigned = Type.Object({
  agent_id: uuid,
  agent: ToolPerson,
  assigned_conversation_ids: Type.Array(uuid),
});
/** Several agents match the query; nothing was assigned. */
const Ambiguous = Type.Object({ ambiguous: Type.Literal(true), candidates: Type.Array(ToolPerson) });

export const assignConversation = {
  name: "assign-conversation",
  title: "Assign conversations",
  description: `Assigns 1 to 100 conversations to the agent of agent_id, or of agent_query (a name or e-mail); two or more are queued. When several agents match, they are returned as candidates and nothing is assigned. ${CONFIRMATION_SENTENCE}`,
  permission: "assign_conversations",
  annotations: CHANGES,
  // "One of the two is required" is checked by the operation: no provider takes an anyOf at the root of a tool's arguments.
  input: toolInput({
    conversation_ids: conversationIds,
    agent_id: Type.Optional(uuid),
    agent_query: Type.Optional(text(SEARCH_MAX, { minLength: 1, description: "Needed when agent_id is left out." })),
    confirmation_token: confirmationToken,
  }),
  output: oneShapeOf(ConfirmationRequired, Assigned, Queued, Ambiguous),
  confirmed: true,
  performs: "assign-agent",
  example: {
    input: { conversation_ids: [ids.conversation], agent_query: "ada", confirmation_token: exampleToken },
    output: { agent_id: ids.ada, agent: ada, assigned_conversation_ids: [ids.conversation] },
  },
} as const satisfies Tool;
