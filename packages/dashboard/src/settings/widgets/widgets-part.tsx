import { useQuery } from "@tanstack/react-query";
import { AppWindow } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { usePeople } from "../../inbox/live-inbox.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { mayLoseUnsaved } from "../../ui/unsaved-guards.ts";
import { AddWidget, NoWidget } from "./add-widget.tsx";
import { WidgetForm } from "./widget-form.tsx";
import { WidgetIdentitySection } from "./widget-identity-section.tsx";
import { WidgetSeen } from "./widget-seen.tsx";
import { widgetSnippet } from "./widget-snippet.ts";
import { widgetQuery, widgetsQuery } from "./widgets-query.ts";

/** What becomes of the widget's data, with the texts of both. */
const WidgetRetentionSection = lazyPart(
  () => import("./widget-retention.tsx"),
  "WidgetRetentionSection",
  "widget-removal",
);
const WidgetRemovalSection = lazyPart(
  () => import("./widget-removal.tsx"),
  "WidgetRemovalSection",
  "widget-removal",
  "erasing",
);

/** The widgets: appearance, questions, hours, and the HTML for pages. */
export function WidgetsPart() {
  const { data: widgets, error, refetch } = useQuery(widgetsQuery);
  const [chosen, setChosen] = useState<string>();
  useWidgetsOfTeammates();
  // Removed ones are not in the list any more.
  const id = (widgets?.find((widget) => widget.id === chosen) ?? widgets?.[0])?.id;
  const choose = async (next: string) => {
    if (await mayLoseUnsaved()) setChosen(next);
  };
  if (error) return <NotShown error={error} onAgain={refetch} />;
  if (widgets?.length === 0) return <NoWidget />;
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
        <AddWidget onAdded={setChosen} />
      </div>
      {id && <OneWidget key={id} id={id} />}
    </>
  );
}

/** A widget that a teammate adds, renames or removes is in the list at once. */
function useWidgetsOfTeammates(): void {
  const known = JSON.stringify(usePeople()?.widgets);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched again when they have changed
  useEffect(() => void queries.invalidateQueries({ queryKey: widgetsQuery.queryKey }), [known]);
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
      <Suspense>
        <WidgetRetentionSection widget={widget} />
        <WidgetRemovalSection widget={widget} />
      </Suspense>
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
