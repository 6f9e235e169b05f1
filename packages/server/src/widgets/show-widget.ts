import { readWidgetSettings, type WidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { agentsOnline } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { findWidget } from "./find-widget.ts";

/** Faces that fit into the widget's head. */
const MOST_FACES = 3;

export interface ShownWidget {
  id: string;
  name: string | null;
  teamName: string;
  settings: WidgetSettings;
  /** Some of those whom visitors can reach right now; none when nobody is there. */
  online: AgentRow[];
}

/**
 * What a widget's pages are made of. Everybody may see it: it stands on public pages.
 *
 * @throws Refusal `not-found` for the widget
 */
export const showWidget: Operation<{ widgetId: string }, ShownWidget> = {
  name: "show-widget",
  mode: "read",
  async run(ctx, { widgetId }) {
    const [widget, team, online] = await Promise.all([
      findWidget(ctx, widgetId),
      ctx.db.first(teamById, { team_id: ctx.teamId }),
      ctx.db.all(agentsOnline, { team_id: ctx.teamId, limit: MOST_FACES }),
    ]);
    if (!team) throw new Error("The team of a widget is gone.");
    const { id, name } = widget;
    return { id, name, teamName: team.name, settings: readWidgetSettings(widget.settings), online };
  },
};
