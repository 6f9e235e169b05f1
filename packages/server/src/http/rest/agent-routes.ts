import { rest } from "@frontdesk/core/contract";
import { getAgent } from "../../agents/get-agent.ts";
import { invitationLink } from "../../agents/invitation-link.ts";
import { inviteAgents, type SentInvitation } from "../../agents/invite-agents.ts";
import { invitee } from "../../agents/invitee.ts";
import { listAgents } from "../../agents/list-agents.ts";
import { presentAgent } from "../../agents/present-agent.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

export const agentRoutes = [
  endpoint(
    rest.listAgents,
    listAgents,
    ({ query }) => ({ ...pageOf(query), email: query.email }),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentAgent),
  ),
  endpoint(
    rest.getAgent,
    getAgent,
    ({ params }) => ({ agentId: params.id }),
    (agent) => ({ data: presentAgent(agent) }),
  ),
  endpoint(
    rest.inviteAgents,
    inviteAgents,
    ({ body }, { publicUrl, mail }) => ({
      invitees: body.agents.map(invitee),
      joinUrl: invitationLink(publicUrl),
      mail,
    }),
    (sent) => ({ message: invitedMessage(sent) }),
  ),
];

/** The links are in the message: the document gives the answer no other field, and without mail they are the only way. */
function invitedMessage(sent: readonly SentInvitation[]): string {
  const people = sent.length === 1 ? "1 person" : `${sent.length} people`;
  const links = sent.map(({ agent, link }) => `${agent.email}: ${link}`).join("\n");
  return `${people} invited. The links, each for one person and 7 days:\n${links}`;
}
