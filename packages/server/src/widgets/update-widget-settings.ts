import { invalid } from "@frontdesk/core/domain/refusal";
import {
  readWidgetSettings,
  type WidgetSettings,
  widgetSettingsProblems,
} from "@frontdesk/core/domain/widget-settings";
import type { Operation } from "../context.ts";
import { findWidget } from "./find-widget.ts";
import { updateWidgetSettingsRow } from "./widget-store.ts";

/**
 * Sets what is given of a widget's settings, and leaves the rest. A repeat sets the same.
 *
 * @throws Refusal `not-found` for the widget, `invalid` for settings that cannot be taken
 */
export const updateWidgetSettings: Operation<{ widgetId: string; change: Partial<WidgetSettings> }, WidgetSettings> = {
  name: "update-widget-settings",
  mode: "write",
  async run(ctx, { widgetId, change }) {
    const widget = await findWidget(ctx, widgetId);
    const problems = widgetSettingsProblems(change);
    if (Object.keys(problems).length > 0) throw invalid(problems);
    // Only what was set is kept, so that a better default reaches everybody who has not chosen.
    const settings = JSON.stringify({ ...JSON.parse(widget.settings ?? "{}"), ...change });
    ctx.write(updateWidgetSettingsRow, { team_id: ctx.teamId, id: widget.id, settings });
    return readWidgetSettings(settings);
  },
};
