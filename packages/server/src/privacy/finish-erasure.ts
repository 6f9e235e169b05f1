import { agentById } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import { deleteWidget } from "../widgets/widget-store.ts";
import { deleteAccountsOfWidget, deletionsOfMailboxes } from "./erase-widget-store.ts";
import { endErasure, erasureById } from "./erasure-store.ts";

/** Ends an erasure of which nothing is left; the row of a removed widget goes with it. A repeat changes nothing. */
export const finishErasure: Operation<{ erasureId: string }, void> = {
  name: "finish-erasure",
  mode: "write",
  async run(ctx, { erasureId }) {
    const erasure = await ctx.db.first(erasureById, { team_id: ctx.teamId, id: erasureId });
    if (!erasure || erasure.finished_at !== null) return;
    const { team_id, id, widget_id, agent_id } = erasure;
    if (widget_id !== null) {
      for (const deletion of Object.values(deletionsOfMailboxes)) ctx.write(deletion, { team_id, widget_id });
      ctx.write(deleteAccountsOfWidget, { team_id, widget_id });
      ctx.write(deleteWidget, { team_id, id: widget_id });
    }
    ctx.write(endErasure, { team_id, id, finished_at: ctx.now });
    // Pages that show what the agent did fetch it again, now without the name.
    const agent = agent_id && (await ctx.db.first(agentById, { team_id, id: agent_id }));
    if (agent) ctx.record({ name: "agent.updated", agent });
  },
};
