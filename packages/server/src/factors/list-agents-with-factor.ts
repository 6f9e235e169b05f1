import type { Operation } from "../context.ts";
import { agentsWithApp } from "./factor-store.ts";
import { agentsWithPasskey } from "./passkey-store.ts";

/** The ids of the agents who have a second factor, for those who look after how a team signs in. */
export const listAgentsWithFactor: Operation<Record<never, never>, readonly string[]> = {
  name: "list-agents-with-factor",
  mode: "read",
  async run(ctx) {
    const [apps, passkeys] = await Promise.all([
      ctx.db.all(agentsWithApp, { team_id: ctx.teamId }),
      ctx.db.all(agentsWithPasskey, { team_id: ctx.teamId }),
    ]);
    return [...new Set([...apps, ...passkeys].map(({ agent_id }) => agent_id))];
  },
};
