import type { Operation } from "../context.ts";
import { markWidgetSeen } from "./widget-store.ts";

/**
 * A page of a website has loaded a widget. No event: it is for the owner who waits for it, or wonders later whether the widget
 * is still in use. An unknown widget changes nothing.
 */
export const noteWidgetSeen: Operation<{ widgetId: string; site: string | null }, void> = {
  name: "note-widget-seen",
  mode: "write",
  async run(ctx, { widgetId, site }) {
    ctx.write(markWidgetSeen, { team_id: ctx.teamId, id: widgetId, last_seen_at: ctx.now, seen_on: site });
  },
};
