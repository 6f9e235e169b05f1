/** The REST operations on agents (spec, "Endpoints"; decisions 7, 23, 24). */
import type { Static } from "typebox";
import { Type } from "typebox";
import { invitableRoles } from "../../domain/agent.ts";
import { ada, ids, listOfOne } from "../examples.ts";
import { choice, EMAIL_MAX, email, idOf, pageQuery, personName } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { Agent, dataOf, listOf } from "../resources.ts";

/** Most people one request can invite; our choice, the spec leaves it open. */
const INVITATIONS_MAX = 100;

export const listAgents = {
  id: "listAgents",
  performs: "list-agents",
  method: "GET",
  path: "/agents",
  tag: "Agents",
  summary: "List agents",
  description: "The members of the team, oldest first.",
  query: Type.Object({
    email: Type.Optional(Type.String({ ...email, description: "Only the agent with this email address." })),
    ...pageQuery({ default: 20, max: 100 }),
  }),
  responses: { 200: { description: "A page of agents.", body: listOf(Agent) } },
  errors: [422],
  example: { query: { email: "ada@acme.example" }, response: listOfOne("/agents", ada, 20) },
} as const satisfies RestOperation;

export const getAgent = {
  id: "getAgent",
  performs: "get-agent",
  method: "GET",
  path: "/agents/{id}",
  tag: "Agents",
  summary: "Get an agent",
  description: "One member of the team. An ID outside the team returns 403.",
  params: Type.Object({ id: idOf("the agent") }),
  responses: { 200: { description: "The agent.", body: dataOf(Agent) } },
  errors: [],
  example: { params: { id: ids.ada }, response: { data: ada } },
} as const satisfies RestOperation;

const person = Type.Object({
  email,
  name: Type.Optional(personName),
  role: Type.Optional(choice(invitableRoles, { description: "Default: `CHAT_AGENT_MEMBER`." })),
});

/**
 * A person to invite: an object, or only an e-mail address (decision 23). One schema with two types instead of `anyOf`:
 * `format` applies to strings and `properties` to objects, so that an error names the field that is wrong and no other branch.
 */
export const Invitation = Type.Unsafe<Static<typeof person> | string>({
  ...person,
  type: ["object", "string"],
  format: "email",
  maxLength: EMAIL_MAX,
  description: "A person, or just an email address (the role is then `CHAT_AGENT_MEMBER`).",
});
export type Invitation = Static<typeof Invitation>;

export const inviteAgents = {
  id: "inviteAgents",
  performs: "invite-agents",
  method: "POST",
  path: "/agents/invite",
  tag: "Agents",
  summary: "Invite agents",
  description:
    "Invites people to the team by email. If one of them cannot be invited, none are. An email address that is already in the team is a validation error on `agents.N.email`. The response contains the links to join, so the key needs every scope that the given roles have; for an admin, that is all of them. Otherwise 403 names the missing ones.",
  body: Type.Object({ agents: Type.Array(Invitation, { minItems: 1, maxItems: INVITATIONS_MAX }) }),
  responses: {
    200: { description: "The invitations are on their way.", body: Type.Object({ message: Type.String() }) },
  },
  errors: [422],
  retrySafe: true,
  example: {
    body: { agents: [{ email: "grace@acme.example", name: "Grace", role: "CHAT_AGENT_ADMIN" }, "lin@acme.example"] },
    response: {
      message:
        "2 people invited. The links, each for one person and 7 days:\ngrace@acme.example: https://chat.acme.example/app/join/fd_invite_example-one\nlin@acme.example: https://chat.acme.example/app/join/fd_invite_example-two",
    },
  },
} as const satisfies RestOperation;
