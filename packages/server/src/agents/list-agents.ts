import { foldText } from "@frontdesk/core/domain/folded-text";
import type { PageRequest } from "@frontdesk/core/domain/page";
import { aiOfTeam } from "../ai/settings/ai-settings-store.ts";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { AgentRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { agentPage, personByEmail } from "./agent-store.ts";

/** The team's agents with the built-in AI once it is set up, oldest first, or the one with `email` (case does not matter). Specification: GET /agents. */
export const listAgents: Operation<PageRequest & { email: string | undefined }, Listed<AgentRow>> = {
  name: "list-agents",
  mode: "read",
  async run(ctx, { email, ...page }) {
    if (email !== undefined) {
      const found = await ctx.db.first(personByEmail, { team_id: ctx.teamId, email_folded: foldText(email) });
      if (!found) return { rows: [], total: 0 };
      return { rows: page.page === 1 ? [found] : [], total: 1 };
    }
    const [counters, ai, rows] = await Promise.all([
      countersOf(ctx),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
      ctx.db.all(agentPage, { team_id: ctx.teamId, ...pageWindow(page) }),
    ]);
    return { rows, total: counters.agents + (ai ? 1 : 0) };
  },
};
