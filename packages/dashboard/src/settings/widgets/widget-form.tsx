import type { WholeWidget } from "@frontdesk/core/contract/resources";
import type { WidgetLanguage, WidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useMe } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { language, t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { problemOfSpans } from "./hours-now.ts";
import { WidgetAsksSection } from "./widget-asks-section.tsx";
import { WidgetHoursSection } from "./widget-hours-section.tsx";
import { WidgetLookFields } from "./widget-look-fields.tsx";
import { WidgetPreview } from "./widget-preview.tsx";
import { changedSettings, type SettingsEdit } from "./widget-settings-edit.ts";
import { demoAddress } from "./widget-snippet.ts";
import { WidgetWhereSection } from "./widget-where-section.tsx";
import { widgetQuery, widgetsQuery } from "./widgets-query.ts";

/** Every setting of a widget, with a preview. Nothing is stored until it is saved. */
export function WidgetForm({ widget }: { widget: WholeWidget }) {
  const { team } = useMe();
  const { id, attributes: was } = widget;
  const [name, setName] = useState(was.name ?? "");
  const [settings, setSettings] = useState(was.settings);
  const [speaking, setSpeaking] = useState<WidgetLanguage>(language);
  const unsaved = useUnsaved([name, settings]);
  const form = useForm(async () => {
    if (Object.values(settings.hours?.week ?? {}).some(problemOfSpans)) throw new Error(t("hours.fix"));
    const change = changedSettings(was.settings, settings);
    const body = { name, ...(Object.keys(change).length > 0 && { settings: change }) };
    const { data } = await unsaved.saving(rest.updateWidget({ params: { widget: id }, body }));
    queries.setQueryData(widgetQuery(id).queryKey, data);
    await queries.invalidateQueries({ queryKey: widgetsQuery.queryKey });
    showToast(t("saved"));
  });
  const edit: SettingsEdit = {
    settings,
    set: (change: Partial<WidgetSettings>) => setSettings((before) => ({ ...before, ...change })),
    problemOf: (field) => form.problemOf(`settings.${field}`) ?? form.problemOf(field),
  };
  return (
    <form {...unsaved.form} onSubmit={form.send} className="grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="min-w-0">
        <Section title={t("widget.looks")}>
          <div className="flex flex-col gap-4">
            <Field label={t("widget.name")} hint={t("widget.nameHint")} problem={form.problemOf("name")}>
              <TextInput value={name} required maxLength={255} onValueChange={(next) => setName(String(next))} />
            </Field>
            <WidgetLookFields {...edit} speaking={speaking} onSpeak={setSpeaking} />
          </div>
        </Section>
        <WidgetAsksSection {...edit} />
        <WidgetHoursSection {...edit} />
        <WidgetWhereSection {...edit} />
      </div>
      {/* Beside the settings; on a phone below them. */}
      <div className="max-lg:mb-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <div className="lg:sticky lg:top-6">
          <WidgetPreview
            {...settings}
            teamName={team.name}
            greeting={settings.greetings[speaking]}
            asks={{ name: settings.ask_name, email: settings.ask_email, articles: settings.suggest_articles }}
          />
        </div>
      </div>
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-line border-t bg-surface px-4 py-3 lg:col-start-1">
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("saveChanges")}
        </Button>
        <UnsavedMark unsaved={unsaved} />
        <a
          href={demoAddress(id)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-6 items-center gap-2 text-accent-text hover:underline"
        >
          <ExternalLink size={14} aria-hidden="true" />
          {t("start.demo")}
        </a>
        <FormProblem text={form.problem} />
        {unsaved.question}
      </div>
    </form>
  );
}
