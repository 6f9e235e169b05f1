import { fileSizeText } from "@frontdesk/client/agent";
import type { ContactExport } from "@frontdesk/core/contract";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { rest } from "../service/rest.ts";
import { ROOT } from "../service/send.ts";
import { momentOf } from "../texts/dates.ts";
import { language, t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { CheckRow } from "../ui/check-row.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { problemText } from "../ui/problem-text.ts";

/** While one is being created. */
const POLL_MS = 1_000;

/** Starts an export of a contact, and shows those that can be downloaded. It may be closed meanwhile. */
export function ExportDialog({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const [withNotes, setWithNotes] = useState(false);
  const found = useQuery({
    queryKey: ["exports", id],
    queryFn: () => askSession("listExports", { params: { id } }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.exports.some(isRunning) ? POLL_MS : false),
  });
  const form = useForm(async () => {
    await rest.exportContact({ params: { id }, body: { include_notes: withNotes } });
    await found.refetch();
  });
  const exports = found.data?.exports ?? [];
  return (
    <Dialog open onClose={onClose} title={t("export.title", { name })} text={t("export.text")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <CheckRow label={t("export.notes")} hint={t("export.notesHint")} checked={withNotes} onChange={setWithNotes} />
        <FormProblem text={form.problem ?? (found.error ? problemText(found.error) : undefined)} />
        <Button
          type="submit"
          look="primary"
          className="self-start"
          focusableWhenDisabled
          disabled={form.busy || exports.some(isRunning)}
        >
          {t("export.create")}
        </Button>
      </form>
      <ul aria-label={t("export.earlier")} aria-live="polite" className="mt-4 divide-y divide-line empty:hidden">
        {exports.map((each) => (
          <ExportRow key={each.id} of={each} />
        ))}
      </ul>
    </Dialog>
  );
}

const isRunning = ({ attributes }: ContactExport): boolean => attributes.state === "running";

function ExportRow({ of: { attributes } }: { of: ContactExport }) {
  const { state, requested_at, expires_at, size, url, include_notes } = attributes;
  const when = momentOf(requested_at);
  const notes = include_notes && <span className="block text-meta text-subtle">{t("export.withNotes")}</span>;
  if (state !== "done" || url === null) {
    return (
      <li className={state === "failed" ? "py-3 text-danger" : "py-3 text-muted"}>
        {t(state === "failed" ? "export.failed" : "export.running", { when })}
        {notes}
      </li>
    );
  }
  return (
    <li className="flex items-center gap-3 py-3">
      <span className="min-w-0 flex-1">
        {t("export.ready", { when })}
        <span className="block text-meta text-subtle">
          {expires_at && t("export.until", { when: momentOf(expires_at) })}
          {size !== null && ` · ${fileSizeText(size, language)}`}
        </span>
        {notes}
      </span>
      <a
        href={atOwnAddress(url)}
        download
        aria-label={`${t("download")}: ${t("export.ready", { when })}`}
        className="inline-flex h-8 shrink-0 items-center gap-2 rounded-control border border-line bg-surface px-3 font-medium hover:bg-hover pointer-coarse:min-h-11"
      >
        <Download size={14} aria-hidden="true" />
        {t("download")}
      </a>
    </li>
  );
}

/** The cookie is of the address at which the dashboard is open, which need not be the public one. */
const atOwnAddress = (url: string): string => `${ROOT}${url.slice(url.lastIndexOf("/exports/"))}`;
