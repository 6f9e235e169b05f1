import { fileSizeText } from "@frontdesk/client/agent";
import { FileText, RotateCw, X } from "lucide-react";
import { language, t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import type { Uploads } from "./uploads.ts";

/** The files of the message being written, and the one that keeps it from being sent. */
export function AttachmentTray({ uploads }: { uploads: Uploads }) {
  if (uploads.files.length === 0) return null;
  const failed = uploads.files.find(({ state }) => state === "failed");
  return (
    <>
      <ul className="flex flex-wrap gap-2 px-3 pb-2">
        {uploads.files.map(({ id, file, state, progress, problem, isFinal }) => (
          <li
            key={id}
            className={cx(
              "relative flex max-w-64 items-center gap-2 overflow-hidden rounded-control border bg-surface py-1 ps-2 pe-1 text-ink",
              state === "failed" ? "border-danger" : "border-line",
            )}
          >
            <FileText size={14} className="shrink-0 text-muted" aria-hidden="true" />
            <span className="min-w-0">
              <span dir="auto" className="aligned block truncate">
                {file.name}
              </span>
              <span className={cx("numbers block text-label", state === "failed" ? "text-danger" : "text-subtle")}>
                {state === "failed" ? problem : fileSizeText(file.size, language)}
              </span>
            </span>
            {state === "failed" && !isFinal && (
              <IconButton label={t("tryAgain")} className="size-7" onClick={() => uploads.retry(id)}>
                <RotateCw size={14} />
              </IconButton>
            )}
            <IconButton
              label={t("removeFile", { name: file.name })}
              className="size-7"
              onClick={() => uploads.remove(id)}
            >
              <X size={14} />
            </IconButton>
            {state === "sending" && (
              <progress
                aria-label={t("sendingFile", { name: file.name })}
                value={progress}
                className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none bg-transparent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
              />
            )}
          </li>
        ))}
      </ul>
      <p role="alert" className="px-3 pb-2 text-danger text-meta empty:hidden">
        {failed && t("composer.fileFailed", { name: failed.file.name })}
      </p>
    </>
  );
}
