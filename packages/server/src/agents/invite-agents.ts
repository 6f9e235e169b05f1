import type { InvitableRole } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { scopesMissing, scopesOf } from "@frontdesk/core/domain/policy";
import type { GivenReason } from "@frontdesk/core/domain/reasons";
import { invalid, lacksScopes } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../access/actor.ts";
import { heldScopes, ownAgentId } from "../access/by-actor.ts";
import { newToken, tokenHash } from "../access/token.ts";
import type { Context, Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { addAgent } from "./add-agent.ts";
import { agentByEmail, insertInvitation } from "./agent-store.ts";
import { invitationMail } from "./invitation-mail.ts";

export interface Invitee {
  email: string;
  name: string | null;
  role: InvitableRole;
}

/** An invitation and the link that accepts it; the link is shown once and only its hash is stored. */
export interface SentInvitation {
  agent: AgentRow;
  link: string;
}

/** How long a link is valid. */
export const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Invites people to the team: all of them or none. Each gets a link, and an e-mail when mail is set up (`mail`).
 * An e-mail that is already in the team, or twice in the list, is refused on `agents.N.email` (decision 23).
 *
 * @throws Refusal `not-allowed` for a key that lacks scopes of a role it gives: the link makes its holder such an agent
 *   (docs/decisions/0031-power-of-keys.md)
 * @param input.joinUrl makes the link of a token
 * @param input.mail whether to store an e-mail for each
 */
export const inviteAgents: Operation<
  { invitees: Invitee[]; joinUrl: (token: string) => string; mail: boolean },
  SentInvitation[]
> = {
  name: "invite-agents",
  mode: "write",
  async run(ctx, { invitees, joinUrl, mail }) {
    requireScopesOfRoles(ctx.actor, invitees);
    await refuseTaken(ctx, invitees);
    const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
    const sent: SentInvitation[] = [];
    for (const { email, name, role } of invitees) {
      const agent = addAgent(ctx, { email, name, role, status: "invited", passwordHash: null });
      ctx.record({ name: "agent.invited", agent });
      sent.push(openInvitation(ctx, agent, { teamName: team?.name ?? "", joinUrl, mail }));
    }
    return sent;
  },
};

/** Creates the link by which an invited agent joins, and its e-mail. */
export function openInvitation(
  ctx: Context,
  agent: AgentRow,
  { teamName, joinUrl, mail }: { teamName: string; joinUrl: (token: string) => string; mail: boolean },
): SentInvitation {
  const token = newToken("invite", ctx.teamId, ctx.random);
  ctx.write(insertInvitation, {
    team_id: ctx.teamId,
    agent_id: agent.id,
    token_hash: tokenHash(token),
    invited_by: ownAgentId(ctx.actor) ?? null,
    created_at: ctx.now,
    expires_at: ctx.now + INVITATION_LIFE_MS,
  });
  const link = joinUrl(token);
  if (mail) ctx.enqueue({ kind: "send-mail", payload: invitationMail(agent, teamName, link) });
  return { agent, link };
}

function requireScopesOfRoles(actor: Actor, invitees: readonly Invitee[]): void {
  const needed = invitees.flatMap(({ role }) => scopesOf(role));
  const missing = scopesMissing(needed, heldScopes(actor));
  if (missing.length > 0) throw lacksScopes("invite an agent with more access than the key has", missing);
}

async function refuseTaken(ctx: Context, invitees: readonly Invitee[]): Promise<void> {
  const errors: Record<string, GivenReason> = {};
  const seen = new Set<string>();
  for (const [index, { email }] of invitees.entries()) {
    const folded = foldText(email);
    if (seen.has(folded)) errors[`agents.${index}.email`] = "email-twice";
    else if (await ctx.db.first(agentByEmail, { team_id: ctx.teamId, email_folded: folded })) {
      errors[`agents.${index}.email`] = "in-team-already";
    }
    seen.add(folded);
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
