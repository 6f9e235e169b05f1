import type { WholeWidget } from "@frontdesk/core/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TypedConfirmation } from "../../privacy/typed-confirmation.tsx";
import { askSession } from "../../service/ask-session.ts";
import { useMay } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showToast } from "../../ui/toast.ts";
import { widgetsQuery } from "./widgets-query.ts";

/** Removes the widget, with its conversations. */
export function WidgetRemovalSection({ widget }: { widget: WholeWidget }) {
  const [asking, setAsking] = useState(false);
  if (!useMay("remove-widget")) return null;
  return (
    <Section title={t("widget.remove")} text={t("widget.removeHint")}>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t("widget.remove")}
      </Button>
      {asking && <RemovalQuestion widget={widget} onClose={() => setAsking(false)} />}
    </Section>
  );
}

/** Says what is deleted with the widget, and asks for its name. */
function RemovalQuestion({ widget: { id, attributes }, onClose }: { widget: WholeWidget; onClose(): void }) {
  const name = attributes.name ?? id;
  const { data: use, error } = useQuery({
    queryKey: ["widget-use", id],
    queryFn: () => askSession("countWidgetUse", { params: { id } }),
    // Conversations come while the page is shown.
    staleTime: 0,
    gcTime: 0,
  });
  const isEmpty = use?.contacts === 0;
  const problem = error ? problemText(error) : use && use.held > 0 && t("widget.removeHeld", { held: use.held });
  const remove = async (reason: string | null) => {
    // Only what was shown is deleted: a widget that was empty a moment ago is refused when someone has written meanwhile.
    await rest.removeWidget({ params: { widget: id }, body: { reason, ...(!isEmpty && { conversations: "erase" }) } });
    onClose();
    showToast(t(isEmpty ? "widget.removed" : "widget.removedErasing"));
    await queries.invalidateQueries({ queryKey: widgetsQuery.queryKey });
  };
  return (
    <TypedConfirmation
      title={t("widget.removeTitle", { name })}
      text={t("widget.removeText")}
      name={name}
      action={t("widget.remove")}
      mayConfirm={use?.held === 0}
      onConfirm={remove}
      onClose={onClose}
    >
      {isEmpty && <p>{t("widget.removeNothing")}</p>}
      {use && !isEmpty && (
        <div>
          <p>{t("widget.removeErases")}</p>
          <ul className="list-disc ps-5 font-medium">
            <li>{t("tags.use", { count: use.conversations })}</li>
            <li>{t("fields.use", { count: use.contacts })}</li>
          </ul>
        </div>
      )}
      <FormProblem text={problem} />
    </TypedConfirmation>
  );
}
