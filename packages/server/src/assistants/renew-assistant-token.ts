import { invalid } from "@frontdesk/core/domain/refusal";
import { ownAgentId } from "../access/by-actor.ts";
import { newToken, tokenHash } from "../access/token.ts";
import { agentById } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import { type AssistantWithCreator, creatorCanAct, readGrant } from "./assistant.ts";
import { renewAssistantTokenRow } from "./assistant-store.ts";
import { findAssistant } from "./get-assistant.ts";
import { requireScopes } from "./require-scopes.ts";
import { refuseRevoked } from "./update-assistant.ts";

/**
 * Gives a connection another bearer token; the previous one ends at once, in every process. The token is in the result and
 * nowhere else; a repeat creates another one. A connection whose creator is deactivated becomes that of the agent who asks, and
 * works again.
 *
 * @throws Refusal `not-found`; `not-allowed` as `requireScopes`; `invalid` on `state` when it is revoked, and on `app` for
 * the connection of an app, which gets its tokens itself
 */
export const renewAssistantToken: Operation<
  { assistantId: string },
  { assistant: AssistantWithCreator; token: string }
> = {
  name: "renew-assistant-token",
  mode: "write",
  async run(ctx, { assistantId }) {
    const before = await findAssistant(ctx, assistantId);
    refuseRevoked(before);
    if (before.app !== null) throw invalid({ app: "connected-by-app" });
    requireScopes(ctx.actor, readGrant(before).permissions);
    const token = newToken("assistant", ctx.teamId, ctx.random);
    const assistant: AssistantWithCreator = {
      ...before,
      ...(creatorCanAct(before) ? undefined : await newCreator(ctx)),
      token_hash: tokenHash(token),
      token_ending: token.slice(-4),
      updated_at: ctx.now,
    };
    ctx.db.announce("access");
    ctx.write(renewAssistantTokenRow, assistant);
    ctx.record({ name: "assistant.updated", assistant });
    return { assistant, token };
  },
};

async function newCreator(
  ctx: Context,
): Promise<Pick<AssistantWithCreator, "created_by" | "creator_role" | "creator_status"> | undefined> {
  const id = ownAgentId(ctx.actor);
  const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  return agent ? { created_by: agent.id, creator_role: agent.role, creator_status: agent.status } : undefined;
}
