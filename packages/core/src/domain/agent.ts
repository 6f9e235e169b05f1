/** Roles, statuses and presence of agents (decisions 7 to 9). */
export const agentRoles = ["CHAT_AGENT_OWNER", "CHAT_AGENT_ADMIN", "CHAT_AGENT_MEMBER"] as const;
export type AgentRole = (typeof agentRoles)[number];

/** What an invitation may give; a team's owner is made with the team. */
export const invitableRoles = ["CHAT_AGENT_ADMIN", "CHAT_AGENT_MEMBER"] as const;
export type InvitableRole = (typeof invitableRoles)[number];

export const agentStatuses = ["invited", "active", "deactivated"] as const;
export type AgentStatus = (typeof agentStatuses)[number];

export const agentOnlineStatuses = ["online", "away", "offline"] as const;

/** A message or a resolution can name an invited or an active agent; a deactivated one is as unknown (decision 65). */
export function canAct(agent: { status: string }): boolean {
  return agent.status !== ("deactivated" satisfies AgentStatus);
}
