/** Roles (highest first), statuses and presence of agents (decisions 7 to 9). */
export const agentRoles = ["CHAT_AGENT_OWNER", "CHAT_AGENT_ADMIN", "CHAT_AGENT_MEMBER"] as const;
export type AgentRole = (typeof agentRoles)[number];

/** The roles that an invitation may give; a team's owner is created with the team. */
export const invitableRoles = ["CHAT_AGENT_ADMIN", "CHAT_AGENT_MEMBER"] as const;
export type InvitableRole = (typeof invitableRoles)[number];

export const agentStatuses = ["invited", "active", "deactivated"] as const;
export type AgentStatus = (typeof agentStatuses)[number];

export const agentOnlineStatuses = ["online", "away", "offline"] as const;
export type AgentOnlineStatus = (typeof agentOnlineStatuses)[number];

/** The agent's choice: shown as online or as away while online. */
export const availabilities = ["auto", "away"] as const;
export type Availability = (typeof availabilities)[number];

/** The words of the policy for the roles. */
export type Rank = keyof typeof roleOfRank;
const roleOfRank = {
  member: "CHAT_AGENT_MEMBER",
  admin: "CHAT_AGENT_ADMIN",
  owner: "CHAT_AGENT_OWNER",
} as const satisfies Record<string, AgentRole>;

/** Whether a role is at least of this rank: an owner may what an admin may, and an admin what a member may. */
export function isOfRank(role: AgentRole, rank: Rank): boolean {
  return reaches(role, roleOfRank[rank]);
}

/** Whether an agent of role `mine` may manage an agent of role `theirs`, or give that role: not above their own. */
export function reaches(mine: AgentRole, theirs: AgentRole): boolean {
  return agentRoles.indexOf(mine) <= agentRoles.indexOf(theirs);
}

/** The name of an agent whose personal data was deleted after they left (docs/decisions/0058-former-colleagues.md). */
export const FORMER_COLLEAGUE = "Former colleague";

/** Their address: it reaches no one, and no one else has it. */
export const formerEmail = (agentId: string): string => `${agentId}@former.invalid`;

/** The address of the row in which a channel account or the built-in AI speaks, and no person does: it reaches no one. */
export const accountEmail = (agentId: string): string => `${agentId}@account.invalid`;

/** A message or a resolution can name an invited or an active agent; a deactivated one is treated as unknown (decision 65). */
export function canAct(agent: { status: string }): boolean {
  return agent.status !== ("deactivated" satisfies AgentStatus);
}

/** Whether an agent is a person. The rows in whose name channel accounts and the built-in AI speak are none. */
export function isPerson(agent: { account_id: string | null }): boolean {
  return agent.account_id === null;
}

/** Whether an agent is the row in whose name the built-in AI speaks: the only one that is active and no person. */
export function isBuiltInAi(agent: { status: string; account_id: string | null }): boolean {
  return canAct(agent) && !isPerson(agent);
}

/** Whether others can choose the agent: to assign, to mention, to speak as. The built-in AI speaks for itself alone. */
export function canBeChosen(agent: { status: string; account_id: string | null }): boolean {
  return canAct(agent) && isPerson(agent);
}
