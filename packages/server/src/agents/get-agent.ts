import type { Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { findAgent } from "./find-agent.ts";

/** One agent of the team. Specification: GET /agents/{id}. */
export const getAgent: Operation<{ agentId: string }, AgentRow> = {
  name: "get-agent",
  mode: "read",
  run: (ctx, { agentId }) => findAgent(ctx, agentId),
};
