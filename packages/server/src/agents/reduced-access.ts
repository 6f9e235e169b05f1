import { canAct } from "@frontdesk/core/domain/agent";
import { scopesMissing, scopesOfAgent } from "@frontdesk/core/domain/policy";
import { apiKeysOfTeam, givenScopes } from "../access/api-key-store.ts";
import { creatorPermissions, readGrant } from "../assistants/assistant.ts";
import { assistantsOfCreator } from "../assistants/assistant-store.ts";
import type { Context } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";

/**
 * Keys and connections of an agent that were given more than the agent may do now, and so may do less than they were made for.
 */
export interface ReducedAccess {
  /** API keys that are neither revoked nor expired, oldest first. */
  keys: { id: string; name: string }[];
  /** Assistant connections that are not revoked, oldest first. */
  assistants: { id: string; name: string }[];
}

/** The keys and connections that the agent's role and status limit (docs/decisions/0031-power-of-keys.md). */
export async function reducedAccessOf(ctx: Context, agent: AgentRow): Promise<ReducedAccess> {
  const scopes = scopesOfAgent(agent);
  const keys = await ctx.db.all(apiKeysOfTeam, { team_id: ctx.teamId });
  const assistants = await ctx.db.all(assistantsOfCreator, { team_id: ctx.teamId, created_by: agent.id });
  return {
    keys: keys
      .filter(({ agent_id, revoked_at, expires_at }) => {
        const ended = revoked_at !== null || (expires_at !== null && expires_at <= ctx.now);
        return agent_id === agent.id && !ended;
      })
      .filter((key) => scopesMissing(givenScopes(key), scopes).length > 0)
      .map(({ id, name }) => ({ id, name })),
    assistants: assistants
      .filter((row) => {
        // The row may still have the role and status from before this write.
        const allowed = creatorPermissions({ ...row, creator_role: agent.role, creator_status: agent.status });
        return !canAct(agent) || readGrant(row).permissions.some((permission) => !allowed.includes(permission));
      })
      .map(({ id, name }) => ({ id, name })),
  };
}
