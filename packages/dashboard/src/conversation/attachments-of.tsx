import { Dialog } from "@base-ui/react/dialog";
import { Download, FileText, X } from "lucide-react";
import { numberOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";

export interface ShownAttachment {
  url: string;
  name?: string | null | undefined;
  mime?: string | null | undefined;
  size?: number | null | undefined;
}

/** The files of a message: pictures as pictures in a box of fixed size, everything else by its name. */
export function AttachmentsOf({ attachments }: { attachments: readonly ShownAttachment[] }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li key={attachment.url} className="max-w-full">
          {attachment.mime?.startsWith("image/") ? <Picture {...attachment} /> : <NamedFile {...attachment} />}
        </li>
      ))}
    </ul>
  );
}

function Picture({ url, name }: ShownAttachment) {
  const label = name ?? t("picture");
  return (
    <Dialog.Root>
      <Dialog.Trigger
        aria-label={t("enlarge", { name: label })}
        className="block overflow-hidden rounded-menu border border-line"
      >
        <img src={url} alt={label} loading="lazy" className="h-40 w-56 bg-app object-cover" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="rises fixed inset-0 z-50 bg-scrim" />
        <Dialog.Popup className="rises fixed inset-4 z-50 flex flex-col items-center justify-center gap-3 outline-none">
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          <img src={url} alt={label} className="min-h-0 max-w-full rounded-menu object-contain" />
          <div className="flex gap-1 rounded-menu border border-line bg-raised p-1">
            <a
              href={url}
              download={name ?? ""}
              className="inline-flex h-8 items-center gap-2 rounded-control px-3 hover:bg-hover"
            >
              <Download size={16} aria-hidden="true" />
              {t("download")}
            </a>
            <Dialog.Close
              render={
                <IconButton label={t("close")}>
                  <X size={16} />
                </IconButton>
              }
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function NamedFile({ url, name, size }: ShownAttachment) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="flex max-w-72 items-center gap-2 rounded-menu border border-line bg-surface px-3 py-2 hover:bg-hover"
    >
      <FileText size={16} className="shrink-0 text-muted" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{name ?? url}</span>
      {size != null && <span className="numbers shrink-0 text-meta text-subtle">{sizeOf(size)}</span>}
    </a>
  );
}

export function sizeOf(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1_000));
  return kilobytes < 1_000 ? `${numberOf(kilobytes)} kB` : `${numberOf(Math.round(kilobytes / 100) / 10)} MB`;
}
