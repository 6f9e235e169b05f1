import { ownAgentId } from "../access/by-actor.ts";
import { newToken, tokenHash } from "../access/token.ts";
import { agentById, firstOwner } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import type { AssistantWithCreator } from "./assistant.ts";
import { insertAssistant } from "./assistant-store.ts";
import { type AskedGrant, checkGrant } from "./check-grant.ts";
import { requireScopes } from "./require-scopes.ts";

/** A connection to be created; `name` is checked by the caller. */
export interface NewAssistant extends AskedGrant {
  name: string;
}

/**
 * Creates an assistant connection. Its bearer token is in the result and nowhere else; a repeat creates another one (decision
 * 49). Its creator is the actor's own agent, else the team's first owner.
 *
 * @throws Refusal `invalid` as `checkGrant`; `not-allowed` as `requireScopes`
 */
export const createAssistant: Operation<NewAssistant, { assistant: AssistantWithCreator; token: string }> = {
  name: "create-assistant",
  mode: "write",
  async run(ctx, { name, ...asked }) {
    const grant = await checkGrant(ctx, asked);
    requireScopes(ctx.actor, grant.permissions);
    const creatorId = ownAgentId(ctx.actor);
    const creator = creatorId
      ? await ctx.db.first(agentById, { team_id: ctx.teamId, id: creatorId })
      : await ctx.db.first(firstOwner, { team_id: ctx.teamId });
    const token = newToken("assistant", ctx.teamId, ctx.random);
    const assistant: AssistantWithCreator = {
      team_id: ctx.teamId,
      id: ctx.newId(),
      name,
      token_hash: tokenHash(token),
      token_ending: token.slice(-4),
      permissions: JSON.stringify(grant.permissions),
      widgets: JSON.stringify(grant.widgets),
      channels: JSON.stringify(grant.channels),
      agent_id: grant.agentId,
      created_by: creator?.id ?? null,
      creator_role: creator?.role ?? null,
      creator_status: creator?.status ?? null,
      state: "active",
      created_at: ctx.now,
      updated_at: ctx.now,
      last_used_at: null,
      app: null,
      app_key: null,
    };
    ctx.write(insertAssistant, assistant);
    ctx.record({ name: "assistant.created", assistant });
    return { assistant, token };
  },
};
