import { inkOn } from "@frontdesk/core/domain/readable-color";
import { readWidgetSettings, type WidgetSettings } from "@frontdesk/core/domain/widget-settings";
import type { Operation } from "../context.ts";
import { findWidget } from "./find-widget.ts";

/** What a page has to know of a widget before anyone uses it. */
export interface WidgetLook {
  /** Of the button, `#rrggbb`, and of the signs on it. */
  color: string;
  ink: string;
  position: WidgetSettings["position"];
}

/**
 * The look of a widget's button: one read, since it comes with every page.
 *
 * @throws Refusal `not-found` for the widget
 */
export const showWidgetLook: Operation<{ widgetId: string }, WidgetLook> = {
  name: "show-widget-look",
  mode: "read",
  run: async (ctx, { widgetId }) => lookOf(readWidgetSettings((await findWidget(ctx, widgetId)).settings)),
};

export function lookOf({ color, position }: WidgetSettings): WidgetLook {
  return { color, ink: inkOn(color), position };
}
