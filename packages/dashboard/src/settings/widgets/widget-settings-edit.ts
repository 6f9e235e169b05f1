import type { WidgetSettings } from "@frontdesk/core/domain/widget-settings";

/** The settings that a section of the widget's form shows and changes. */
export interface SettingsEdit {
  settings: WidgetSettings;
  set(change: Partial<WidgetSettings>): void;
  /** The service's error for a field. */
  problemOf(field: keyof WidgetSettings): string | undefined;
}

/** Only changed settings are sent: one that was never set follows the default, also a later one. */
export function changedSettings(was: WidgetSettings, now: WidgetSettings): Partial<WidgetSettings> {
  const names = Object.keys(now) as (keyof WidgetSettings)[];
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(was[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name]]));
}
