import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { setDataRequests as setRow, teamById } from "../teams/team-store.ts";
import { widgetNames } from "./export-store.ts";

/** Whether visitors may ask for their data, and the widgets on whose pages they do. */
export interface DataRequests {
  allowed: boolean;
  widgets: Pick<WidgetRow, "id" | "name">[];
}

export const getDataRequests: Operation<Record<string, never>, DataRequests> = {
  name: "get-data-requests",
  mode: "read",
  run: readDataRequests,
};

/** The present state changes nothing. */
export const setDataRequests: Operation<{ allowed: boolean }, DataRequests> = {
  name: "set-data-requests",
  mode: "write",
  async run(ctx, { allowed }) {
    const now = await readDataRequests(ctx);
    if (now.allowed === allowed) return now;
    ctx.write(setRow, { team_id: ctx.teamId, data_requests: allowed ? 1 : 0 });
    audit(ctx, { allowed });
    return { ...now, allowed };
  },
};

async function readDataRequests(ctx: Context): Promise<DataRequests> {
  const [team, widgets] = await Promise.all([
    ctx.db.first(teamById, { team_id: ctx.teamId }),
    ctx.db.all(widgetNames, { team_id: ctx.teamId }),
  ]);
  return { allowed: team?.data_requests === 1, widgets };
}
