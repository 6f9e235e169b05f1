import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { identitiesOfAgent, identityBySubject, insertIdentity } from "./sso-store.ts";

/** An account at a provider that becomes an agent's. */
export interface SsoLink {
  subject: string;
  email: string | null;
}

/**
 * Links an account at a provider to the agent, who has proven both. A repeat changes nothing.
 *
 * @throws Refusal `not-authenticated` for an account of another agent, and for an agent who has another account there
 */
export async function linkSso(
  ctx: Context,
  { id }: Pick<AgentRow, "id">,
  providerId: string,
  { subject, email }: SsoLink,
): Promise<void> {
  const of = { team_id: ctx.teamId, provider_id: providerId };
  const known = await ctx.db.first(identityBySubject, { ...of, subject });
  if (known?.agent_id === id) return;
  const own = await ctx.db.all(identitiesOfAgent, { team_id: ctx.teamId, agent_id: id });
  if (known || own.some(({ provider_id }) => provider_id === providerId)) throw notAuthenticated("sso-account");
  ctx.write(insertIdentity, { ...of, subject, agent_id: id, email, created_at: ctx.now });
}
