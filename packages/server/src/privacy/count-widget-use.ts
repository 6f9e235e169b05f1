import type { Operation } from "../context.ts";
import { findWidget } from "../widgets/find-widget.ts";
import { heldContactsOfWidget, widgetUse } from "./erase-widget-store.ts";

export interface WidgetUse {
  contacts: number;
  conversations: number;
  /** Contacts on hold: as long as there are some, it cannot be removed. */
  held: number;
}

/**
 * What goes with a widget when it is removed.
 *
 * @throws Refusal `not-found`
 */
export const countWidgetUse: Operation<{ widgetId: string }, WidgetUse> = {
  name: "count-widget-use",
  mode: "read",
  async run(ctx, { widgetId }) {
    const { id } = await findWidget(ctx, widgetId);
    const of = { team_id: ctx.teamId, widget_id: id };
    const [use, held] = await Promise.all([
      ctx.db.first(widgetUse, of),
      ctx.db.all(heldContactsOfWidget, { ...of, now: ctx.now }),
    ]);
    if (!use) throw new Error("A count has no row.");
    return { ...use, held: held.length };
  },
};
