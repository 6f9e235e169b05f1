import { fileSizeText } from "@frontdesk/client/agent";
import { FileText } from "lucide-react";
import { language, t } from "../texts/texts.ts";
import { openPicture } from "./opened-picture.ts";

export interface ShownAttachment {
  url: string;
  name?: string | null | undefined;
  mime?: string | null | undefined;
  size?: number | null | undefined;
}

export const isPicture = ({ mime }: ShownAttachment): boolean => mime?.startsWith("image/") ?? false;

/** The files of a message: images in a box of fixed size, everything else by name. */
export function AttachmentsOf({ attachments }: { attachments: readonly ShownAttachment[] }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li key={attachment.url} className="max-w-full">
          {isPicture(attachment) ? <Picture {...attachment} /> : <NamedFile {...attachment} />}
        </li>
      ))}
    </ul>
  );
}

function Picture({ url, name }: ShownAttachment) {
  const label = name ?? t("picture");
  return (
    <button
      type="button"
      aria-label={t("enlarge", { name: label })}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => openPicture({ url, opener: currentTarget })}
      className="block overflow-hidden rounded-menu border border-line"
    >
      <img src={url} alt={label} loading="lazy" className="h-40 w-56 bg-app object-cover" />
    </button>
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
      <span dir="auto" className="aligned min-w-0 flex-1 truncate">
        {name ?? url}
      </span>
      {size != null && <span className="numbers shrink-0 text-meta text-subtle">{fileSizeText(size, language)}</span>}
    </a>
  );
}
