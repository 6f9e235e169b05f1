import type { Operation } from "../context.ts";
import { markWidgetSeen } from "./widget-store.ts";

/**
 * A page of somebody's site has loaded a widget. No event: it is for the owner who waits for it, and for whoever wonders
 * later whether it is still in use. An unknown widget changes nothing.
 */
export const noteWidgetSeen: Operation<{ widgetId: string; site: string | null }, void> = {
  name: "note-widget-seen",
  mode: "write",
  async run(ctx, { widgetId, site }) {
    ctx.write(markWidgetSeen, { team_id: ctx.teamId, id: widgetId, last_seen_at: ctx.now, seen_on: site });
  },
};
