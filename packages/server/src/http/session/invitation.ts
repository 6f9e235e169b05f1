import { Refusal } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../../access/actor.ts";
import { hashPassword } from "../../access/password.ts";
import { tokenTeam } from "../../access/token.ts";
import { acceptInvitation, getInvitation } from "../../agents/accept-invitation.ts";
import type { Perform } from "../../perform.ts";
import type { AgentWithPassword } from "../../sessions/sign-in.ts";
import { getTeam } from "../../teams/get-team.ts";

/** The invited person and team of a valid link. */
export interface Invited {
  actor: SystemActor;
  token: string;
  email: string;
  name: string | null;
  teamName: string;
  /** They join by single sign-on alone. */
  bySso: boolean;
}

/** The invitation of a link; undefined for a used, expired or invalid one. */
export async function findInvited(perform: Perform, token: string, ip: string): Promise<Invited | undefined> {
  const teamId = tokenTeam("invite", token);
  if (teamId === undefined) return undefined;
  const actor: SystemActor = { kind: "system", teamId, ip };
  const found = await unlessNotFound(perform(actor, getInvitation, { token }));
  if (!found) return undefined;
  const { agent, bySso } = found;
  const team = await perform(actor, getTeam, {});
  return { actor, token, email: agent.email, name: agent.name, teamName: team.name, bySso };
}

/** The invited person joins; undefined when the link was used meanwhile. */
export async function join(
  perform: Perform,
  { actor, token }: Invited,
  { name, password }: { name: string; password: string },
): Promise<AgentWithPassword | undefined> {
  const passwordHash = await hashPassword(password);
  const agent = await unlessNotFound(perform(actor, acceptInvitation, { token, name: name.trim(), passwordHash }));
  return agent && { teamId: agent.team_id, agentId: agent.id, passwordHash };
}

async function unlessNotFound<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
    throw error;
  }
}
