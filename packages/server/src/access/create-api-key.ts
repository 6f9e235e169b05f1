import { canBeChosen } from "@frontdesk/core/domain/agent";
import { canonicalId } from "@frontdesk/core/domain/id";
import { type ApiKeyScope, scopesMissing, scopesOfAgent } from "@frontdesk/core/domain/policy";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { agentById, firstOwner } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import type { AgentRow, ApiKeyRow } from "../storage/tables.ts";
import { insertApiKey } from "./api-key-store.ts";
import { ownAgentId } from "./by-actor.ts";
import { newToken, tokenHash } from "./token.ts";

export interface NewApiKey {
  name: string;
  /**
   * The agent of the key: messages without an `agent_id` are theirs (decision 21). Undefined: the signed-in agent, else the
   * team's first owner.
   */
  agentId?: string | undefined;
  /** Undefined: all that the agent has. */
  scopes?: readonly ApiKeyScope[] | undefined;
  /** Undefined: it does not expire. */
  expiresAt?: number | undefined;
}

/**
 * Creates an API key. Its full value is in the result and nowhere else; a repeat creates another key (decision 29).
 *
 * @throws Refusal `invalid` on `agent`, on `expires_at`, or on `scopes` for one that the agent's role does not have
 */
export const createApiKey: Operation<NewApiKey, { key: ApiKeyRow; value: string }> = {
  name: "create-api-key",
  mode: "write",
  async run(ctx, { name, agentId, scopes, expiresAt }) {
    if (expiresAt !== undefined && expiresAt < ctx.now) {
      throw invalid({ expires_at: "key-expired" });
    }
    const agent = await keyOwner(ctx, agentId ?? ownAgentId(ctx.actor));
    const ofAgent = scopesOfAgent(agent);
    const beyond = scopesMissing(scopes ?? [], ofAgent);
    if (beyond.length > 0) {
      throw invalid({ scopes: because("scopes-above-role", { scopes: beyond.join(", ") }) });
    }
    const value = newToken("key", ctx.teamId, ctx.random);
    const key: ApiKeyRow = {
      team_id: ctx.teamId,
      id: ctx.newId(),
      name,
      key_hash: tokenHash(value),
      key_ending: value.slice(-4),
      scopes: JSON.stringify(scopes ?? ofAgent),
      agent_id: agent.id,
      created_at: ctx.now,
      expires_at: expiresAt ?? null,
      last_used_at: null,
      revoked_at: null,
    };
    ctx.write(insertApiKey, key);
    ctx.record({ name: "api-key.created", key: { id: key.id, name: key.name, agent_id: agent.id } });
    return { key, value };
  },
};

async function keyOwner(ctx: Context, agentId: string | undefined): Promise<AgentRow> {
  const id = canonicalId(agentId);
  const agent =
    agentId === undefined
      ? await ctx.db.first(firstOwner, { team_id: ctx.teamId })
      : id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  if (!agent || !canBeChosen(agent)) throw invalid({ agent: "no-such-key-owner" });
  return agent;
}
