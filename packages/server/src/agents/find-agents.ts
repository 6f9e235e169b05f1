import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Context, Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { agentsWhoCanAct } from "./agent-store.ts";

/**
 * The agents whose name or e-mail holds `query` (folded), oldest first; without one, or with white space alone, all of
 * them. Deactivated ones are left out. Specification: the tool list-agents.
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

/** Whom a query names. */
export type NamedAgent =
  | { outcome: "one"; agent: AgentRow }
  /** Several fit, and are told as candidates; the first of them when there are very many. */
  | { outcome: "several"; candidates: AgentRow[] }
  | { outcome: "none" };

/** As many as list-agents tells of by default; who has more fitting agents has to ask more closely anyway. */
const CANDIDATES_MAX = 50;

/**
 * The agent whom `query` names: by the whole e-mail, else by the whole name, else by a part of either (folded). Whoever
 * shares a whole name with another one is named by neither. Deactivated agents are nobody (decision 65).
 * Specification: `agent_query` of the tool assign-conversation.
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

/** A team has few agents, and their names are not kept folded: they are compared here. */
function everyAgent(ctx: Context): Promise<AgentRow[]> {
  return ctx.db.all(agentsWhoCanAct, { team_id: ctx.teamId, limit: Number.MAX_SAFE_INTEGER });
}

function holding(agents: readonly AgentRow[], needle: string): AgentRow[] {
  return agents.filter((agent) => agent.email_folded.includes(needle) || foldedName(agent).includes(needle));
}

const foldedName = ({ name }: AgentRow): string => foldText(name ?? "").trim();
