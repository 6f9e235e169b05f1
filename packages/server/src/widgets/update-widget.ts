import { invalid, nothingToChange } from "@frontdesk/core/domain/refusal";
import {
  onlyWidgetSettings,
  type WidgetSettings,
  widgetSettingsProblems,
} from "@frontdesk/core/domain/widget-settings";
import type { Operation } from "../context.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { findWidget } from "./find-widget.ts";
import { updateWidgetRow } from "./widget-store.ts";

export interface WidgetChange {
  name?: string | undefined;
  settings?: Partial<WidgetSettings> | undefined;
}

/**
 * Sets the name and the given settings of a widget, at least one of them, and leaves the rest. Unchanged values record no
 * event.
 *
 * @throws Refusal `not-found` for the widget, `invalid` for values that cannot be accepted
 */
export const updateWidget: Operation<{ widgetId: string; change: WidgetChange }, WidgetRow> = {
  name: "update-widget",
  mode: "write",
  async run(ctx, { widgetId, change }) {
    const before = await findWidget(ctx, widgetId);
    const given = onlyWidgetSettings(change.settings ?? {});
    if (change.name === undefined && Object.keys(given).length === 0) throw nothingToChange(["name", "settings"]);
    refuseProblems(given);

    // Only values that were set are stored, so that a better default reaches every team that has not chosen.
    const kept = JSON.parse(before.settings ?? "{}") as Partial<WidgetSettings>;
    const settings = Object.keys(given).length === 0 ? before.settings : JSON.stringify({ ...kept, ...given });
    const widget: WidgetRow = { ...before, name: change.name ?? before.name, settings };
    if (widget.name === before.name && widget.settings === before.settings) return before;
    ctx.write(updateWidgetRow, widget);
    ctx.record({ name: "widget.updated", widget });
    return widget;
  },
};

function refuseProblems(settings: Partial<WidgetSettings>): void {
  const problems = Object.entries(widgetSettingsProblems(settings));
  if (problems.length > 0)
    throw invalid(Object.fromEntries(problems.map(([name, reason]) => [`settings.${name}`, reason])));
}
