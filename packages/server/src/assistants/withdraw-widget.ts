import type { Context } from "../context.ts";
import { readGrant } from "./assistant.ts";
import { assistantsNaming, updateAssistantRow } from "./assistant-store.ts";

/**
 * Takes a widget that is removed from the grants that name it. One that named no other is left with none, and not with all; one of
 * all widgets stays as it is.
 */
export async function withdrawWidget(ctx: Context, widgetId: string): Promise<void> {
  for (const before of await ctx.db.all(assistantsNaming, { team_id: ctx.teamId, widget_id: widgetId })) {
    const { widgets } = readGrant(before);
    if (widgets === "all") continue;
    const left = widgets.filter((id) => id !== widgetId);
    const assistant = { ...before, widgets: JSON.stringify(left), updated_at: ctx.now };
    ctx.write(updateAssistantRow, assistant);
    ctx.record({ name: "assistant.updated", assistant });
  }
}
