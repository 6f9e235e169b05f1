import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Context, Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentsWhoCanAct } from "./agent-store.ts";

/**
 * The agents whose name or e-mail contains `query` (folded), oldest first; without one, or with white space alone, all of them.
 * Deactivated ones are left out. Specification: the tool list-agents.
 */
export const findAgents: Operation<{ query: string | undefined; limit: number }, AgentRow[]> = {
  name: "find-agents",
  mode: "read",
  async run(ctx, { query, limit }) {
    const needle = foldText((query ?? "").trim());
    if (needle === "") return ctx.db.all(agentsWhoCanAct, { team_id: ctx.teamId, limit });
    return holding(await everyAgent(ctx), needle).slice(0, limit);
  },
};

/** The result of a query for one agent. */
export type NamedAgent =
  | { outcome: "one"; agent: AgentRow }
  /** Several fit, and are returned as candidates; only the first ones when there are very many. */
  | { outcome: "several"; candidates: AgentRow[] }
  | { outcome: "none" };

/** As many as list-agents returns by default; with more fitting agents the query has to be narrower anyway. */
const CANDIDATES_MAX = 50;

/**
 * The agent that `query` names: by the whole e-mail, else by the whole name, else by a part of either (folded). A whole name
 * shared by several names none of them. Deactivated agents are not found (decision 65). Specification: `agent_query` of the
 * tool assign-conversation.
 */
export async function agentNamed(ctx: Context, query: string): Promise<NamedAgent> {
  const needle = foldText(query.trim());
  if (needle === "") return { outcome: "none" };
  const agents = await everyAgent(ctx);
  const byEmail = agents.filter((agent) => agent.email_folded === needle);
  const byName = agents.filter((agent) => foldedName(agent) === needle);
  const [fitting = []] = [byEmail, byName, holding(agents, needle)].filter((found) => found.length > 0);
  const [agent, ...others] = fitting;
  if (!agent) return { outcome: "none" };
  if (others.length === 0) return { outcome: "one", agent };
  return { outcome: "several", candidates: fitting.slice(0, CANDIDATES_MAX) };
}

/** A team has few agents, and their names are not stored folded: they are compared here. */
function everyAgent(ctx: Context): Promise<AgentRow[]> {
  return ctx.db.all(agentsWhoCanAct, { team_id: ctx.teamId, limit: Number.MAX_SAFE_INTEGER });
}

function holding(agents: readonly AgentRow[], needle: string): AgentRow[] {
  return agents.filter((agent) => agent.email_folded.includes(needle) || foldedName(agent).includes(needle));
}

const foldedName = ({ name }: AgentRow): string => foldText(name ?? "").trim();
