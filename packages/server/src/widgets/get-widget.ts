import type { Operation } from "../context.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { findWidget } from "./find-widget.ts";

/**
 * One widget, with its settings.
 *
 * @throws Refusal `not-found`
 */
export const getWidget: Operation<{ widgetId: string }, WidgetRow> = {
  name: "get-widget",
  mode: "read",
  run: (ctx, { widgetId }) => findWidget(ctx, widgetId),
};
