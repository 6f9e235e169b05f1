import type { Widget } from "@frontdesk/core/contract";
import type { WidgetRow } from "../storage/tables.ts";

/** A widget as the REST API shows it. */
export function presentWidget(row: WidgetRow): Widget {
  return { type: "widget", id: row.id, attributes: { name: row.name, icon: row.icon } };
}
