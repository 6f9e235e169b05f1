import { canAct } from "@frontdesk/core/domain/agent";
import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../access/actor.ts";
import type { Context } from "../context.ts";
import type { Doer } from "../events/event.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentById } from "./agent-store.ts";

/**
 * The agent in whose name something is done: the one that is named, else the actor's own (decisions 4 and 21).
 * Undefined when nobody is named and the actor has none.
 *
 * @throws Refusal `invalid` on `agent_id` when the named one is unknown or deactivated (decision 65)
 */
export async function actingAgent(ctx: Context, named: string | null | undefined): Promise<AgentRow | undefined> {
  const id = named == null ? ownAgentId(ctx.actor) : canonicalId(named);
  const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  if (named == null) return agent || undefined;
  if (!agent || !canAct(agent)) throw invalid({ agent_id: "There is no such agent in your team." });
  return agent;
}

/** Who did it, as events and conversations keep it. */
export function doer(agent: AgentRow | undefined): Doer {
  return agent ? { agent: { id: agent.id, name: agent.name ?? agent.email, email: agent.email } } : { system: {} };
}

function ownAgentId(actor: Actor): string | undefined {
  switch (actor.kind) {
    case "api-key":
      return actor.agentId;
    case "system":
      return undefined;
    default:
      return actor satisfies never;
  }
}
