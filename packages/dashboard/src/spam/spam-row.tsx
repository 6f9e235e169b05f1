import type { SpamItem } from "@frontdesk/core/contract/inbox-spam";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { saveOriginal } from "../conversation/download-original.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { problemText } from "../ui/problem-text.ts";
import { ReceivedLine, SenderLine, subjectOf } from "./mail-lines.tsx";
import { spamTextQuery } from "./spam-queries.ts";

/** An email of the list; its subject opens its text below it. */
export function SpamRow({ item, onAllow, onDelete }: { item: SpamItem; onAllow(): Promise<void>; onDelete(): void }) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const textId = useId();
  const { id, excerpt } = item;
  const subject = subjectOf(item);
  return (
    <li data-spam={id} className="border-line border-t px-4 py-3">
      <div className="relative flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <SenderLine {...item} />
          <button
            type="button"
            dir="auto"
            aria-expanded={open}
            aria-controls={open ? textId : undefined}
            onClick={() => setOpen(!open)}
            className="aligned block max-w-full truncate rounded-control font-medium after:absolute after:inset-0"
          >
            {subject}
          </button>
          {!open && (
            <p dir="auto" className="aligned truncate text-muted">
              {excerpt}
            </p>
          )}
          <ReceivedLine {...item} />
        </div>
        <div className="relative z-10 flex gap-2">
          <Button
            size="compact"
            disabled={busy}
            focusableWhenDisabled
            aria-label={t("spam.allowName", { subject })}
            onClick={() => {
              setBusy(true);
              void onAllow().finally(() => setBusy(false));
            }}
          >
            {t("spam.allow")}
          </Button>
          <Button size="compact" look="quietDanger" aria-label={t("spam.deleteName", { subject })} onClick={onDelete}>
            {t("spam.delete")}
          </Button>
        </div>
      </div>
      {open && <SpamText id={textId} spamId={id} />}
    </li>
  );
}

/** As plain text: nothing in it is loaded, and nothing can be clicked. */
function SpamText({ id, spamId }: { id: string; spamId: string }) {
  const { data, error, refetch } = useQuery(spamTextQuery(spamId));
  return (
    <div id={id} className="mt-2 max-w-prose rounded-menu border border-line bg-raised p-3">
      {error && (
        <div className="flex flex-wrap items-center gap-2">
          <p role="alert" className="min-w-0 flex-1 text-danger">
            {problemText(error)}
          </p>
          <Button size="compact" onClick={() => refetch()}>
            {t("tryAgain")}
          </Button>
        </div>
      )}
      {!data && !error && <p className="text-muted">{t("loading")}</p>}
      {data && (
        <>
          <p className="mb-2 text-meta text-muted">{t(data.text === null ? "spam.unreadable" : "spam.plain")}</p>
          {data.text && (
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-message">
              {data.text}
            </p>
          )}
          {data.is_cut && <p className="mt-2 text-meta text-muted">{t("email.cut")}</p>}
          <Button size="compact" look="quiet" className="-ms-2 mt-2" onClick={() => saveSpam(spamId)}>
            {t("email.download")}
          </Button>
        </>
      )}
    </div>
  );
}

const saveSpam = (id: string) => saveOriginal(`/inbox/spam/${encodeURIComponent(id)}/original`);
