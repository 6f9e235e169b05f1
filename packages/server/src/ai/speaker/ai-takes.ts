import { answersHere } from "@frontdesk/core/domain/ai/ai-audience";
import { isOpen } from "@frontdesk/core/domain/business-hours";
import type { Channel } from "@frontdesk/core/domain/channel";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { agentsOnline } from "../../agents/agent-store.ts";
import type { Context } from "../../context.ts";
import type { ConversationRow, WidgetRow } from "../../storage/tables.ts";
import { widgetById } from "../../widgets/widget-store.ts";
import { areAway } from "../model/breakers.ts";
import { aiAtWork } from "./ai-at-work.ts";

/** Whether the AI takes a conversation that begins now, or is given back to it: by its owner's settings, and while its model answers. */
export async function aiTakes(
  ctx: Context,
  { widget_id, channel }: Pick<ConversationRow, "widget_id" | "channel">,
): Promise<boolean> {
  const ai = await aiAtWork(ctx);
  if (!ai || areAway(ai.breakers, ctx.now)) return false;
  const [widget, [online]] = await Promise.all([
    ctx.db.first(widgetById, { team_id: ctx.teamId, id: widget_id }),
    ctx.db.all(agentsOnline, { team_id: ctx.teamId, limit: 1 }),
  ]);
  if (!widget) return false;
  return answersHere(ai.settings, {
    ...{ widgetId: widget_id, channel: channel as Channel, isTeamOnline: online !== undefined },
    isOpen: openNow(widget, ctx.now),
  });
}

/** By the business hours of a widget; null where it has none. */
export function openNow({ settings }: Pick<WidgetRow, "settings">, now: number): boolean | null {
  const { hours } = readWidgetSettings(settings);
  return hours && isOpen(hours, now);
}
