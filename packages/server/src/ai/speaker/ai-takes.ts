import { answersHere } from "@frontdesk/core/domain/ai/ai-audience";
import { isOpen } from "@frontdesk/core/domain/business-hours";
import type { Channel } from "@frontdesk/core/domain/channel";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { agentsOnline } from "../../agents/agent-store.ts";
import type { Context } from "../../context.ts";
import type { ConversationRow, WidgetRow } from "../../storage/tables.ts";
import { widgetById } from "../../widgets/widget-store.ts";
import { areAway, breakersOf } from "../model/breakers.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { hasModel, settingsOf } from "../settings/open-ai-settings.ts";

/** Whether the AI takes a conversation that begins now, or is given back to it: by its owner's settings, and while its model answers. */
export async function aiTakes(
  ctx: Context,
  { widget_id, channel }: Pick<ConversationRow, "widget_id" | "channel">,
): Promise<boolean> {
  const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
  // Without opening its key: one that cannot be opened must not keep a visitor from writing.
  if (row?.is_active !== 1 || !hasModel(ctx, row) || areAway(breakersOf(row), ctx.now)) return false;
  const [widget, [online]] = await Promise.all([
    ctx.db.first(widgetById, { team_id: ctx.teamId, id: widget_id }),
    ctx.db.all(agentsOnline, { team_id: ctx.teamId, limit: 1 }),
  ]);
  if (!widget) return false;
  return answersHere(settingsOf(row), {
    ...{ widgetId: widget_id, channel: channel as Channel, isTeamOnline: online !== undefined },
    isOpen: openNow(widget, ctx.now),
  });
}

/** By the business hours of a widget; null where it has none. */
export function openNow({ settings }: Pick<WidgetRow, "settings">, now: number): boolean | null {
  const { hours } = readWidgetSettings(settings);
  return hours && isOpen(hours, now);
}
