import type { ContactHold } from "@frontdesk/core/contract/inbox";
import { Lock, Trash2 } from "lucide-react";
import { useState } from "react";
import { contactQuery } from "../contacts/contact-query.ts";
import { useMay } from "../service/me.ts";
import { queries } from "../service/queries.ts";
import { rest } from "../service/rest.ts";
import { dateOf, momentOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem, showToast } from "../ui/toast.ts";
import { useErasing } from "./use-erasing.tsx";

/** Deletes a contact, or keeps it from being deleted; only for those who may. */
export function ContactErasing({
  id,
  name,
  hold,
  onErased,
}: {
  id: string;
  name: string;
  hold: ContactHold | null;
  onErased(): void;
}) {
  const mayHold = useMay("hold-contact");
  const refresh = () => queries.invalidateQueries({ queryKey: contactQuery(id).queryKey });
  const { ask, dialog } = useErasing(({ kind }) => (kind === "contact" ? onErased() : void refresh()));
  if (!ask) return null;
  return (
    <>
      {hold && <Held id={id} hold={hold} mayRelease={mayHold} onReleased={refresh} />}
      <div className="flex flex-wrap gap-2">
        {mayHold && !hold && (
          <Button onClick={() => ask({ kind: "hold", id, name })}>
            <Lock size={14} aria-hidden="true" />
            {t("hold.put")}
          </Button>
        )}
        <Button onClick={() => ask({ kind: "contact", id, name })} className="text-danger">
          <Trash2 size={14} aria-hidden="true" />
          {t("erase.contact")}
        </Button>
      </div>
      {dialog}
    </>
  );
}

function Held({
  id,
  hold,
  mayRelease,
  onReleased,
}: {
  id: string;
  hold: ContactHold;
  mayRelease: boolean;
  onReleased(): Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const release = async () => {
    setBusy(true);
    try {
      await rest.releaseContact({ params: { id } });
      await onReleased();
      showToast(t("hold.released"));
    } catch (error) {
      showProblem(problemText(error));
    } finally {
      setBusy(false);
    }
  };
  const since = momentOf(hold.held_at);
  return (
    <section aria-label={t("hold.title")} className="flex flex-col gap-1 rounded-control border border-line p-3">
      <h3 className="flex items-center gap-1.5 font-medium">
        <Lock size={14} aria-hidden="true" />
        {t("hold.title")}
      </h3>
      <p dir="auto" className="aligned wrap-anywhere">
        {hold.reason}
      </p>
      <p className="text-meta text-muted">
        {hold.held_by === null ? t("hold.since", { when: since }) : t("hold.by", { name: hold.held_by, when: since })}
        {hold.until !== null && ` · ${t("hold.until", { when: dateOf(hold.until) })}`}
      </p>
      <p className="text-meta text-muted">{t("hold.text")}</p>
      {mayRelease && (
        <Button size="compact" disabled={busy} onClick={release} className="mt-1 self-start">
          {t("hold.release")}
        </Button>
      )}
    </section>
  );
}
