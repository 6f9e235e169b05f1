import { fileSizeText } from "@frontdesk/client/agent";
import { TriangleAlert } from "lucide-react";
import { Suspense, useState } from "react";
import { language, t } from "../texts/texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const ConfirmDialog = lazyPart(() => import("../ui/confirm-dialog.tsx"), "ConfirmDialog");

/** A visitor's file that can run code: saved only after a warning. A button, since a link could be saved past it. */
export function RiskyFile({ url, name, size }: { url: string; name: string; size?: number | null | undefined }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        title={t("file.risky")}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
        className="flex max-w-72 items-center gap-2 rounded-menu border border-line bg-surface px-3 py-2 hover:bg-hover"
      >
        <TriangleAlert size={16} className="shrink-0 text-warning" aria-hidden="true" />
        <span dir="auto" className="aligned min-w-0 flex-1 truncate">
          {name}
        </span>
        {size != null && <span className="numbers shrink-0 text-meta text-subtle">{fileSizeText(size, language)}</span>}
      </button>
      {asking && (
        <Suspense>
          <ConfirmDialog
            title={t("file.riskyTitle", { name })}
            text={t("file.riskyText")}
            action={t("download")}
            onConfirm={async () => save(url, name)}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function save(url: string, name: string): void {
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: name, target: "_blank", rel: "noreferrer" });
  link.click();
}
