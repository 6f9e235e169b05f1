import { fileSizeText } from "@frontdesk/client/agent";
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { isRiskyFile } from "@frontdesk/core/domain/risky-file";
import { FileText } from "lucide-react";
import { language, t } from "../texts/texts.ts";
import { openPicture } from "./opened-picture.ts";
import { RiskyFile } from "./risky-file.tsx";

export interface ShownAttachment {
  url: string;
  name?: string | null | undefined;
  mime?: string | null | undefined;
  size?: number | null | undefined;
}

type Sender = LiveMessage["from"];

/** Whether agents are warned before they save it: visitors are strangers. */
const isRisky = (attachment: ShownAttachment, from: Sender) => from === "visitor" && isRiskyFile(nameOf(attachment));

export const isPicture = (attachment: ShownAttachment, from: Sender): boolean =>
  (attachment.mime?.startsWith("image/") ?? false) && !isRisky(attachment, from);

/** The files of a message: images in a box of fixed size, everything else by name. */
export function AttachmentsOf({ attachments, from }: { attachments: readonly ShownAttachment[]; from: Sender }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li key={attachment.url} className="max-w-full">
          {isPicture(attachment, from) ? (
            <Picture {...attachment} />
          ) : isRisky(attachment, from) ? (
            <RiskyFile {...attachment} name={nameOf(attachment)} />
          ) : (
            <NamedFile {...attachment} />
          )}
        </li>
      ))}
    </ul>
  );
}

const nameOf = ({ name, url }: ShownAttachment): string => name ?? URL.parse(url)?.pathname.split("/").at(-1) ?? url;

function Picture({ url, name }: ShownAttachment) {
  const label = name ?? t("picture");
  return (
    <button
      type="button"
      aria-label={t("enlarge", { name: label })}
      aria-haspopup="dialog"
      data-picture={url}
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
