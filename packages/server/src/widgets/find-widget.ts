import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { widgetById } from "./widget-store.ts";

/** @throws Refusal `not-found` for an invalid or unknown id, and for another team's */
export async function findWidget(ctx: Context, widgetId: string): Promise<WidgetRow> {
  const id = canonicalId(widgetId);
  const widget = id && (await ctx.db.first(widgetById, { team_id: ctx.teamId, id }));
  if (!widget) throw notFound("widget");
  return widget;
}
