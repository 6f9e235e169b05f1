import { AppWindow, Plus } from "lucide-react";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem } from "../../ui/toast.ts";
import { mayLoseUnsaved } from "../../ui/unsaved-guards.ts";
import { firstWidgetQuery, widgetsQuery } from "./widgets-query.ts";

/** Adds a widget, to be named on its page. */
export function AddWidget({ onAdded = () => {} }: { onAdded?(id: string): void }) {
  const add = async () => {
    if (!(await mayLoseUnsaved())) return;
    try {
      const { data } = await rest.createWidget({ body: { name: t("widget.newName") } });
      const all = [widgetsQuery, firstWidgetQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey }));
      await Promise.all(all);
      onAdded(data.id);
    } catch (problem) {
      showProblem(problemText(problem));
    }
  };
  return (
    <Button size="large" onClick={add}>
      <Plus size={14} aria-hidden="true" />
      {t("widget.add")}
    </Button>
  );
}

/** The last widget was removed. */
export function NoWidget() {
  return (
    <EmptyState icon={AppWindow} title={t("widget.none")} text={t("widget.noneText")}>
      <AddWidget />
    </EmptyState>
  );
}
