import { rest } from "@frontdesk/core/contract";
import { assignNamedAgent } from "../../conversations/assign-agent.ts";
import { presentAssignment } from "../../conversations/present-assignment.ts";
import { unassignAgent } from "../../conversations/unassign-agent.ts";
import { endpoint } from "./rest-endpoint.ts";

export const assignmentRoutes = [
  endpoint(
    rest.assignAgent,
    assignNamedAgent,
    ({ params, body }) => ({ conversationId: params.conversation_id, agentId: body.agent_id }),
    (assigned) => ({ message: "Conversation assigned.", data: presentAssignment(assigned) }),
  ),
  endpoint(
    rest.unassignAgent,
    unassignAgent,
    ({ params }) => ({ conversationId: params.conversation_id, agentId: params.agent_id }),
    () => ({ message: "Conversation unassigned." }),
  ),
];
