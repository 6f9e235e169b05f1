import type { Operation } from "../context.ts";
import type { SessionRow } from "../storage/tables.ts";
import { sessionIsOver } from "./session.ts";
import { sessionsOfAgent } from "./session-store.ts";
import { signedInAgent } from "./signed-in-agent.ts";

/** The browsers that the agent is signed in with, the latest seen first. */
export const listSessions: Operation<Record<never, never>, SessionRow[]> = {
  name: "list-sessions",
  mode: "read",
  async run(ctx) {
    const { agentId } = signedInAgent(ctx);
    const rows = await ctx.db.all(sessionsOfAgent, { team_id: ctx.teamId, agent_id: agentId });
    return rows.filter(
      ({ created_at: createdAt, last_seen_at: lastSeenAt, ends_at: endsAt }) =>
        !sessionIsOver({ createdAt, lastSeenAt, endsAt }, ctx.now),
    );
  },
};
