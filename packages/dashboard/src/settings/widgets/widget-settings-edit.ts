import type { WidgetSettings } from "@frontdesk/core/domain/widget-settings";

/** What a section of the widget's form shows and changes. */
export interface SettingsEdit {
  settings: WidgetSettings;
  set(change: Partial<WidgetSettings>): void;
  /** What the service says of one of them. */
  problemOf(field: keyof WidgetSettings): string | undefined;
}

/** Only what was changed is sent: a setting that was never chosen follows the default, also a later one. */
export function changedSettings(was: WidgetSettings, now: WidgetSettings): Partial<WidgetSettings> {
  const names = Object.keys(now) as (keyof WidgetSettings)[];
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(was[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name]]));
}
