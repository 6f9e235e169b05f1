import { rest } from "@frontdesk/core/contract";
import { getAgent } from "../../agents/get-agent.ts";
import { invitationLink } from "../../agents/invitation-link.ts";
import { type Invitee, inviteAgents, type SentInvitation } from "../../agents/invite-agents.ts";
import { listAgents } from "../../agents/list-agents.ts";
import { presentAgent } from "../../agents/present-agent.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint, type RestRequest } from "./rest-endpoint.ts";

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

/** Decision 23: an object, or only an e-mail address. */
function invitee(item: RestRequest<typeof rest.inviteAgents>["body"]["agents"][number]): Invitee {
  if (typeof item === "string") return { email: item, name: null, role: "CHAT_AGENT_MEMBER" };
  return { email: item.email, name: item.name ?? null, role: item.role ?? "CHAT_AGENT_MEMBER" };
}

/** The links are in the message: the document gives the answer no other field, and without mail they are the only way. */
function invitedMessage(sent: readonly SentInvitation[]): string {
  const people = sent.length === 1 ? "1 person" : `${sent.length} people`;
  const links = sent.map(({ agent, link }) => `${agent.email}: ${link}`).join("\n");
  return `${people} invited. The links, each for one person and 7 days:\n${links}`;
}
