import type { FactorRule } from "@frontdesk/core/domain/factors";
import type { Operation } from "../context.ts";
import type { TeamRow } from "../storage/tables.ts";
import { insertTeam, insertTeamCounters } from "./team-store.ts";

/** Creates the team whose id the actor holds, without agents. A repeat with the same id fails. */
export const createTeam: Operation<{ name: string }, TeamRow> = {
  name: "create-team",
  mode: "write",
  async run(ctx, { name }) {
    const team: TeamRow = {
      ...{ team_id: ctx.teamId, name, api_access: 1, created_at: ctx.now, data_requests: 0 },
      ...{ factor_rule: "nobody" satisfies FactorRule, trusts_browsers: 1 },
    };
    ctx.write(insertTeam, team);
    ctx.write(insertTeamCounters, {
      team_id: ctx.teamId,
      event_number: 0,
      contacts: 0,
      conversations: 0,
      open_conversations: 0,
      agents: 0,
      widgets: 0,
      webhooks: 0,
      articles: 0,
      published_articles: 0,
    });
    ctx.record({ name: "team.created", team });
    return team;
  },
};
