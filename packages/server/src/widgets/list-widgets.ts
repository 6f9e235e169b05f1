import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { widgetPage } from "./widget-store.ts";

/** The team's widgets, oldest first. Specification: GET /widgets. */
export const listWidgets: Operation<PageRequest, Listed<WidgetRow>> = {
  name: "list-widgets",
  mode: "read",
  async run(ctx, page) {
    const [counters, rows] = await Promise.all([
      countersOf(ctx),
      ctx.db.all(widgetPage, { team_id: ctx.teamId, ...pageWindow(page) }),
    ]);
    return { rows, total: counters.widgets };
  },
};
