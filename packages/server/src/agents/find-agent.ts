import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentById } from "./agent-store.ts";

/** @throws Refusal `not-found` for an agent who is not in the team */
export async function findAgent(ctx: Context, agentId: string): Promise<AgentRow> {
  const id = canonicalId(agentId);
  const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  if (!agent) throw notFound("agent");
  return agent;
}
