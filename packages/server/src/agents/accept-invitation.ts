import { notFound } from "@frontdesk/core/domain/refusal";
import { tokenHash } from "../access/token.ts";
import type { Context, Operation } from "../context.ts";
import { signsInBySsoAlone } from "../sso/sso-lockout.ts";
import type { AgentRow, InvitationRow } from "../storage/tables.ts";
import { activateAgent, agentById, deleteInvitation, invitationByToken } from "./agent-store.ts";

/**
 * The invited person of a link, for the page that asks for a password, and whether they join by single sign-on alone. A used,
 * expired or invalid link is not found.
 */
export const getInvitation: Operation<{ token: string }, { agent: AgentRow; bySso: boolean }> = {
  name: "get-invitation",
  mode: "read",
  async run(ctx, { token }) {
    const { agent } = await invited(ctx, token);
    return { agent, bySso: await signsInBySsoAlone(ctx, agent) };
  },
};

/**
 * The invited person joins: the agent becomes active with the chosen password, and the link is used up. Who joins by single sign-on
 * alone is not found.
 */
export const acceptInvitation: Operation<{ token: string; name: string; passwordHash: string }, AgentRow> = {
  name: "accept-invitation",
  mode: "write",
  async run(ctx, { token, name, passwordHash }) {
    const { agent: before } = await invited(ctx, token);
    if (await signsInBySsoAlone(ctx, before)) throw notFound("invitation");
    const agent: AgentRow = { ...before, name, status: "active", password_hash: passwordHash };
    ctx.write(activateAgent, {
      team_id: ctx.teamId,
      id: agent.id,
      name,
      status: agent.status,
      password_hash: passwordHash,
    });
    ctx.write(deleteInvitation, { team_id: ctx.teamId, agent_id: agent.id });
    ctx.record({ name: "agent.joined", agent });
    return agent;
  },
};

async function invited(ctx: Context, token: string): Promise<{ agent: AgentRow; invitation: InvitationRow }> {
  const invitation = await ctx.db.first(invitationByToken, { team_id: ctx.teamId, token_hash: tokenHash(token) });
  const agent = invitation && (await ctx.db.first(agentById, { team_id: ctx.teamId, id: invitation.agent_id }));
  if (!agent || invitation.expires_at <= ctx.now || agent.status !== "invited") {
    throw notFound("invitation");
  }
  return { agent, invitation };
}
