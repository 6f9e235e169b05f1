import type { WholeWidget, Widget, WidgetWithIdentitySecret } from "@frontdesk/core/contract";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import type { WidgetRow } from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";

/** A widget as a list shows it. */
export function presentWidget(row: WidgetRow): Widget {
  return { type: "widget", id: row.id, attributes: { name: row.name, icon: row.icon } };
}

/** A widget with its settings. */
export function presentWholeWidget(row: WidgetRow): WholeWidget {
  return { type: "widget", id: row.id, attributes: attributesOf(row) };
}

/** The answer that creates an identity secret: the only one that ever contains it. */
export function presentIdentitySecret(row: WidgetRow, secret: string): WidgetWithIdentitySecret {
  return { type: "widget", id: row.id, attributes: { ...attributesOf(row), identity_secret: secret } };
}

function attributesOf(row: WidgetRow): WholeWidget["attributes"] {
  return {
    name: row.name,
    icon: row.icon,
    settings: readWidgetSettings(row.settings),
    identity_secret_made_at: isoTimeOrNull(row.identity_secret_at),
    first_seen_at: isoTimeOrNull(row.first_seen_at),
    last_seen_at: isoTimeOrNull(row.last_seen_at),
    seen_on: row.seen_on,
    created_at: isoTime(row.created_at),
  };
}
