/** The REST operations that give conversations to agents, ours beside the tool assign-conversation (decisions 65, 68, A38, A56). */
import { Type } from "typebox";
import { assignment, ids } from "../examples.ts";
import { idOf } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { Assignment, messageAlone, messageAndDataOf } from "../resources.ts";

export const assignAgent = {
  id: "assignAgent",
  performs: "assign-agent",
  method: "POST",
  path: "/conversations/{conversation_id}/assignments",
  tag: "Conversations",
  summary: "Assign a conversation",
  description:
    "Assigns a conversation to an agent, in addition to the agents it is already assigned to. If the agent is already assigned, nothing changes and nothing is recorded. An unknown or deactivated agent returns 422.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  body: Type.Object({ agent_id: idOf("the agent") }),
  responses: { 200: { description: "The assigned agent.", body: messageAndDataOf(Assignment) } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    body: { agent_id: ids.ada },
    response: { message: "Conversation assigned.", data: assignment },
  },
} as const satisfies RestOperation;

export const unassignAgent = {
  id: "unassignAgent",
  performs: "unassign-agent",
  method: "DELETE",
  path: "/conversations/{conversation_id}/assignments/{agent_id}",
  tag: "Conversations",
  summary: "Unassign a conversation",
  description:
    "Also works for an agent who has been deactivated. An agent who is unknown or not assigned returns 404, so a repeated request does too.",
  params: Type.Object({ conversation_id: idOf("the conversation"), agent_id: idOf("the agent") }),
  responses: { 200: { description: "The agent is no longer assigned.", body: messageAlone } },
  errors: [404],
  example: {
    params: { conversation_id: ids.conversation, agent_id: ids.ada },
    response: { message: "Conversation unassigned." },
  },
} as const satisfies RestOperation;
