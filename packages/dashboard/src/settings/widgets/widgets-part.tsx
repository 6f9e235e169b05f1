import { useQuery } from "@tanstack/react-query";
import { AppWindow, Plus } from "lucide-react";
import { useState } from "react";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { showProblem } from "../../ui/toast.ts";
import { mayLoseUnsaved } from "../../ui/unsaved-guards.ts";
import { WidgetForm } from "./widget-form.tsx";
import { WidgetIdentitySection } from "./widget-identity-section.tsx";
import { WidgetSeen } from "./widget-seen.tsx";
import { widgetSnippet } from "./widget-snippet.ts";
import { widgetQuery, widgetsQuery } from "./widgets-query.ts";

/** The widgets: appearance, questions, hours, and the HTML for pages. */
export function WidgetsPart() {
  const { data: widgets, error, refetch } = useQuery(widgetsQuery);
  const [chosen, setChosen] = useState<string>();
  const id = chosen ?? widgets?.[0]?.id;
  const choose = async (next: string) => {
    if (await mayLoseUnsaved()) setChosen(next);
  };
  const add = async () => {
    if (!(await mayLoseUnsaved())) return;
    try {
      const { data } = await rest.createWidget({ body: { name: t("widget.newName") } });
      await queries.invalidateQueries({ queryKey: widgetsQuery.queryKey });
      setChosen(data.id);
    } catch (problem) {
      showProblem(problemText(problem));
    }
  };
  if (error) return <NotShown error={error} onAgain={refetch} />;
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3">
        <div className="w-64 max-w-full">
          <Field label={t("settings.widgets")}>
            <Select value={id ?? ""} onChange={({ target }) => choose(target.value)}>
              {widgets?.map((widget) => (
                <option key={widget.id} value={widget.id}>
                  {widget.attributes.name ?? widget.id}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Button size="large" onClick={add}>
          <Plus size={14} aria-hidden="true" />
          {t("widget.add")}
        </Button>
      </div>
      {id && <OneWidget key={id} id={id} />}
    </>
  );
}

function OneWidget({ id }: { id: string }) {
  const { data: widget, error, refetch } = useQuery(widgetQuery(id));
  if (error) return <NotShown error={error} onAgain={refetch} />;
  if (!widget) return <SkeletonRows rows={8} height={64} />;
  return (
    <>
      <WidgetForm widget={widget} />
      <Section title={t("start.place")} text={t("start.placeText")}>
        <CodeToCopy label={t("start.place")} text={widgetSnippet(id)} />
        <WidgetSeen widget={widget} />
      </Section>
      <WidgetIdentitySection widget={widget} />
    </>
  );
}

function NotShown({ error, onAgain }: { error: unknown; onAgain(): void }) {
  return (
    <EmptyState icon={AppWindow} title={t("trouble.title")} text={problemText(error)}>
      <Button onClick={onAgain}>{t("tryAgain")}</Button>
    </EmptyState>
  );
}
