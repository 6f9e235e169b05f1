import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import type { AgentActor } from "../access/actor.ts";
import { ownAgentId } from "../access/by-actor.ts";
import { agentToManage } from "../agents/manage-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import { endTrust } from "../factors/known-browser.ts";
import { deleteSession, deleteSessionsOfAgent } from "./session-store.ts";
import { signedInAgent } from "./signed-in-agent.ts";

/** Ends one of the agent's own sessions at once, in every process. One that has ended is not found. */
export const endSession: Operation<{ sessionId: string }, void> = {
  name: "end-session",
  mode: "write",
  async run(ctx, { sessionId }) {
    const { agentId } = signedInAgent(ctx);
    const id = canonicalId(sessionId);
    const ended = id && (await ctx.db.run(deleteSession, { team_id: ctx.teamId, agent_id: agentId, id }));
    if (!ended) throw notFound("session");
    ctx.db.announce("access");
    audit(ctx, { session: { id } });
  },
};

/** Ends all of the agent's own sessions except the one that asks. Returns how many; a repeat ends none. */
export const endOtherSessions: Operation<Record<never, never>, number> = {
  name: "end-other-sessions",
  mode: "write",
  async run(ctx) {
    const { agentId, sessionId } = signedInAgent(ctx);
    const ended = await endSessionsOf(ctx, agentId, sessionId);
    if (ended > 0) audit(ctx, { sessions: ended });
    return ended;
  },
};

/**
 * Signs an agent out everywhere, for an admin: a laptop is lost, or a password was seen.
 *
 * @throws Refusal `not-found`; `not-allowed` for an agent above one's own role; `invalid` on `agent` for oneself
 */
export const endAgentSessions: Operation<{ agentId: string }, number> = {
  name: "end-agent-sessions",
  mode: "write",
  async run(ctx, { agentId }) {
    const agent = await agentToManage(ctx, agentId);
    if (ownAgentId(ctx.actor) === agent.id) throw invalid({ agent: "own-factors" });
    const ended = await endSessionsOf(ctx, agent.id);
    endTrust(ctx, agent.id);
    audit(ctx, { agent: auditedAgent(agent), sessions: ended });
    return ended;
  },
};

/** Ends the sessions of an agent, in this commit. Returns how many. */
export async function endSessionsOf(
  ctx: Context,
  agentId: string,
  kept: AgentActor["sessionId"] = NO_SESSION,
): Promise<number> {
  // Also for none: other processes may have cached the agent's role.
  ctx.db.announce("access");
  return ctx.db.run(deleteSessionsOfAgent, { team_id: ctx.teamId, agent_id: agentId, kept });
}

/** An id that no session has. */
const NO_SESSION = "00000000-0000-0000-0000-000000000000";
