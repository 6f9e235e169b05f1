import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import { mailChange } from "../factors/credential-mail.ts";
import type { AgentRow } from "../storage/tables.ts";
import { identitiesOfAgent, identityBySubject, insertIdentity, providerById } from "./sso-store.ts";

/** An account at a provider that becomes an agent's. */
export interface SsoLink {
  subject: string;
  email: string | null;
}

/**
 * Links an account at a provider to the agent, who has proven both, and mails it to them unless they are joining with it. A repeat
 * changes nothing.
 *
 * @throws Refusal `not-authenticated` for an account of another agent, and for an agent who has another account there
 */
export async function linkSso(
  ctx: Context,
  agent: AgentRow,
  providerId: string,
  { subject, email }: SsoLink,
  { isFirst = false, userAgent }: { isFirst?: boolean; userAgent?: string | undefined } = {},
): Promise<void> {
  const { id } = agent;
  const of = { team_id: ctx.teamId, provider_id: providerId };
  const known = await ctx.db.first(identityBySubject, { ...of, subject });
  if (known?.agent_id === id) return;
  const own = await ctx.db.all(identitiesOfAgent, { team_id: ctx.teamId, agent_id: id });
  if (known || own.some(({ provider_id }) => provider_id === providerId)) throw notAuthenticated("sso-account");
  ctx.write(insertIdentity, { ...of, subject, agent_id: id, email, created_at: ctx.now });
  if (isFirst) return;
  const provider = await ctx.db.first(providerById, { team_id: ctx.teamId, id: providerId });
  await mailChange(ctx, agent, "account-linked", { userAgent, more: `It is one at ${provider?.name}.` });
}
