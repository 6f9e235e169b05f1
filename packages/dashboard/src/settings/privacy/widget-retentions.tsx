import { type RetentionSettings, resolveRetention } from "@frontdesk/core/domain/retention";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../texts/texts.ts";
import { widgetsQuery } from "../widgets/widgets-query.ts";
import { OwnRetentions } from "./own-retentions.tsx";

/** Widgets with rules of their own. */
export function WidgetRetentions({
  settings,
  set,
  problemOf,
}: {
  settings: RetentionSettings;
  set(change: Pick<RetentionSettings, "widgets">): void;
  problemOf(field: string): string | undefined;
}) {
  const { data: widgets = [] } = useQuery(widgetsQuery);
  // One widget has the rules of the team.
  if (widgets.length < 2 && settings.widgets.length === 0) return null;
  return (
    <OwnRetentions
      title={t("privacy.widgets")}
      adding={t("privacy.addWidget")}
      owners={widgets.map(({ id, attributes }) => ({ id, name: attributes.name ?? id }))}
      own={settings.widgets.map(({ widget_id: id, ...rules }) => ({ id, rules }))}
      inheritedBy={() => resolveRetention(settings, []).team}
      nameOf={(id) => widgets.find((widget) => widget.id === id)?.attributes.name ?? "…"}
      set={(own) => set({ widgets: own.map(({ id, rules }) => ({ ...rules, widget_id: id })) })}
      problemOf={(index, field = "widget_id") => problemOf(`widgets.${index}.${field}`)}
    />
  );
}
