import type { Operation } from "../context.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { insertInWidgetDirectory, insertWidget } from "./widget-store.ts";

/** Makes a widget. A repeat makes another one. */
export const createWidget: Operation<{ name: string | null }, WidgetRow> = {
  name: "create-widget",
  mode: "write",
  async run(ctx, { name }) {
    const widget: WidgetRow = {
      team_id: ctx.teamId,
      id: ctx.newId(),
      name,
      icon: null,
      settings: null,
      created_at: ctx.now,
      identity_secret_sealed: null,
      identity_secret_at: null,
      first_seen_at: null,
      last_seen_at: null,
      seen_on: null,
    };
    ctx.write(insertWidget, widget);
    ctx.write(insertInWidgetDirectory, { widget_id: widget.id, team_id: widget.team_id });
    ctx.count("widgets", 1);
    ctx.record({ name: "widget.created", widget });
    return widget;
  },
};
