import type { Me, OwnTeam, TeamAgent } from "@frontdesk/core/contract/session";
import type { AgentRole, Availability } from "@frontdesk/core/domain/agent";
import type { SessionReach } from "@frontdesk/core/domain/factors";
import { operationsOf } from "@frontdesk/core/domain/policy";
import type { OwnProfile } from "../agents/get-own-profile.ts";
import type { AgentRow, TeamRow } from "../storage/tables.ts";

/** The signed-in agent, and what they may do. */
export function presentMe(
  { agent, team, hasModel, hasGhostText }: OwnProfile,
  { mail, reach }: { mail: boolean; reach: SessionReach },
): Me {
  return {
    sends_mail: mail,
    agent: { ...presentTeamAgent(agent), availability: agent.availability as Availability },
    team: presentOwnTeam(team),
    copilot: hasModel,
    ghost_text: hasGhostText,
    must_enrol: reach === "enrolment",
    may: operationsOf(agent.role as AgentRole),
  };
}

/** An agent of the team, as the dashboard's own pages show them. */
export function presentTeamAgent(row: AgentRow): TeamAgent {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as TeamAgent["role"],
    status: row.status as TeamAgent["status"],
    online_status: row.online_status as TeamAgent["online_status"],
    profile_photo_url: row.profile_photo_url,
  };
}

export function presentOwnTeam(row: TeamRow): OwnTeam {
  return { id: row.team_id, name: row.name, api_access: row.api_access === 1 };
}
