import type { RetentionRules, RetentionSettings, WidgetRetention } from "@frontdesk/core/domain/retention";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { t } from "../../texts/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { widgetsQuery } from "../widgets/widgets-query.ts";
import { retentionAnchor } from "./retention-anchor.ts";
import { RuleFields } from "./retention-fields.tsx";

/** Widgets with rules of their own. A new one begins with those of the team. */
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
  const adding = useRef<HTMLSelectElement>(null);
  const { erase_after_days, erase_what, files_after_days, page_visits_after_days } = settings;
  const team: RetentionRules = { erase_after_days, erase_what, files_after_days, page_visits_after_days };
  const others = widgets.filter(({ id }) => !settings.widgets.some(({ widget_id }) => widget_id === id));
  const nameOf = (id: string) => widgets.find((widget) => widget.id === id)?.attributes.name ?? "…";
  const replace = (id: string, rules: WidgetRetention[]) =>
    set({ widgets: settings.widgets.flatMap((each) => (each.widget_id === id ? rules : [each])) });
  const hash = useLocation({ select: (location) => location.hash });
  const asked = widgets.find(({ id }) => hash === retentionAnchor(id))?.id;
  useEffect(() => {
    if (!asked) return;
    const own = document.getElementById(retentionAnchor(asked))?.querySelector("input");
    (own ?? adding.current)?.focus();
  }, [asked]);
  // One widget has the rules of the team.
  if (widgets.length < 2 && settings.widgets.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-medium">{t("privacy.widgets")}</legend>
      {settings.widgets.map((rules, index) => (
        <fieldset
          key={rules.widget_id}
          id={retentionAnchor(rules.widget_id)}
          className="rounded-control border border-line p-4"
        >
          <legend dir="auto" className="px-1 font-medium">
            {nameOf(rules.widget_id)}
          </legend>
          <div className="grid gap-5 md:grid-cols-2">
            <RuleFields
              rules={{ ...team, ...rules }}
              set={(change) => replace(rules.widget_id, [{ ...team, ...rules, ...change }])}
              problemOf={(field) => problemOf(`widgets.${index}.${field}`)}
            />
          </div>
          <IconButton
            label={t("removeData", { name: nameOf(rules.widget_id) })}
            className="mt-3"
            onClick={() => replace(rules.widget_id, [])}
          >
            <Trash2 size={14} />
          </IconButton>
        </fieldset>
      ))}
      {others.length > 0 && (
        <Field label={t("privacy.addWidget")}>
          <Select
            ref={adding}
            value=""
            className="max-w-sm"
            onChange={({ target }) => set({ widgets: [...settings.widgets, { widget_id: target.value, ...team }] })}
          >
            <option value="" disabled>
              …
            </option>
            {others.map(({ id, attributes }) => (
              <option key={id} value={id}>
                {attributes.name ?? id}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </fieldset>
  );
}
