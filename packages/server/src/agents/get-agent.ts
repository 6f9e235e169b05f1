import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentById } from "./agent-store.ts";

/** One agent of the team. Specification: GET /agents/{id}. */
export const getAgent: Operation<{ agentId: string }, AgentRow> = {
  name: "get-agent",
  mode: "read",
  async run(ctx, { agentId }) {
    const id = canonicalId(agentId);
    const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
    if (!agent) throw notFound("agent");
    return agent;
  },
};
