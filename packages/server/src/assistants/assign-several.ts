import { invalid, notFound, Refusal } from "@frontdesk/core/domain/refusal";
import { agentNamed } from "../agents/find-agents.ts";
import type { Context, Operation } from "../context.ts";
import { assignAgent, assignableAgent } from "../conversations/assign-agent.ts";
import type { AgentRow } from "../storage/tables.ts";
import { type ChangedSeveral, changeSeveral } from "./change-several.ts";

/** The agent whom an assistant wants to assign. Where both are given, the id counts. */
export interface WantedAgent {
  agentId?: string | undefined;
  /** A name or e-mail, or a part of one. */
  agentQuery?: string | undefined;
}

/**
 * Assigns 1 to 100 conversations to one agent: a single one at once, two or more queued. Specification: the tool
 * assign-conversation.
 *
 * @throws Refusal `not-found` for the agent, or for the single conversation; `invalid` when no agent is named
 */
export const assignSeveral: Operation<
  { conversationIds: readonly string[] } & WantedAgent,
  { agent: AgentRow; changed: ChangedSeveral<unknown> }
> = {
  name: "assign-agent",
  mode: "write",
  async run(ctx, { conversationIds, ...wanted }) {
    const found = await wantedAgent(ctx, wanted);
    // The plan ran in this transaction, and would have returned the candidates for several agents.
    if ("candidates" in found) throw new Error("It was not settled which agent is meant.");
    const { agent } = found;
    const changed = await changeSeveral(assignAgent).run(ctx, { conversationIds, rest: { agentId: agent.id } });
    return { agent, changed };
  },
};

/**
 * The named agent, or the candidates.
 *
 * @throws Refusal as `assignSeveral`
 */
export async function wantedAgent(
  ctx: Context,
  { agentId, agentQuery }: WantedAgent,
): Promise<{ agent: AgentRow } | { candidates: AgentRow[] }> {
  if (agentId !== undefined) return { agent: await assignableAgent(ctx, agentId) };
  if (agentQuery === undefined) throw invalid({ agent_id: "agent-or-query" });
  const named = await agentNamed(ctx, agentQuery);
  switch (named.outcome) {
    case "one":
      return { agent: named.agent };
    case "several":
      return { candidates: named.candidates };
    case "none":
      throw new Refusal(notFound("agent").reason, "no-agent-matches");
    default:
      return named satisfies never;
  }
}
