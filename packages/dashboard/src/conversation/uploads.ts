/** Files of a message being written: uploaded at once, with progress; each can be cancelled or retried. */
import { useCallback, useEffect, useRef, useState } from "react";
import { ServiceError } from "../service/service-error.ts";
import { uploadFile } from "../service/upload-file.ts";
import { t } from "../texts/texts.ts";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";

export const FILES_MAX = 9;
const TOO_LARGE = 413;

export interface Upload {
  id: string;
  /** Name and size alone for one that was put back. */
  file: File | Pick<File, "name" | "size">;
  state: "sending" | "done" | "failed";
  /** From 0 to 1. */
  progress: number;
  problem?: string;
  /** It is refused for good: empty or too large. */
  isFinal?: boolean;
  /** The attachment as the message names it, once it is uploaded. */
  sent?: SentAttachment;
}

/** A file as the message names it. */
export interface SentAttachment {
  url: string;
  name?: string | null | undefined;
  mime?: string | null | undefined;
  size?: number | null | undefined;
}

export interface Uploads {
  files: readonly Upload[];
  add(files: readonly File[]): void;
  remove(id: string): void;
  retry(id: string): void;
  clear(): void;
  /** Adds files that are uploaded already. */
  putBack(sent: readonly SentAttachment[]): void;
}

export function useUploads(): Uploads {
  const [files, setFiles] = useState<readonly Upload[]>([]);
  const stops = useRef(new Map<string, AbortController>());
  const change = useCallback((id: string, changes: Partial<Upload>) => {
    setFiles((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  }, []);
  const begin = useCallback(
    (id: string, file: File) => {
      const stop = new AbortController();
      stops.current.set(id, stop);
      uploadFile(file, (progress) => change(id, { progress }), stop.signal).then(
        (sent) => change(id, { state: "done", progress: 1, sent }),
        (error) => {
          if (stop.signal.aborted) return;
          const isFinal = error instanceof ServiceError && error.status === TOO_LARGE;
          change(id, { state: "failed", problem: problemText(error), isFinal });
        },
      );
    },
    [change],
  );
  useEffect(() => {
    const all = stops.current;
    return () => {
      for (const stop of all.values()) stop.abort();
    };
  }, []);
  return {
    files,
    add(chosen) {
      const room = FILES_MAX - files.length;
      if (chosen.length > room) showProblem(t("composer.tooManyFiles", { count: FILES_MAX }));
      const added = chosen.slice(0, Math.max(0, room)).map((file): Upload & { file: File } => {
        const upload = { id: crypto.randomUUID(), file, progress: 0 };
        if (file.size > 0) return { ...upload, state: "sending" };
        return { ...upload, state: "failed", problem: t("composer.fileEmpty"), isFinal: true };
      });
      setFiles((before) => [...before, ...added]);
      for (const { id, file, state } of added) if (state === "sending") begin(id, file);
    },
    remove(id) {
      stops.current.get(id)?.abort();
      setFiles((before) => before.filter((each) => each.id !== id));
    },
    retry(id) {
      const file = files.find((each) => each.id === id)?.file;
      if (!(file instanceof File)) return;
      change(id, { state: "sending", progress: 0 });
      begin(id, file);
    },
    clear() {
      setFiles([]);
    },
    putBack(sent) {
      const files = sent.map((one): Upload => {
        const file = { name: one.name ?? one.url, size: one.size ?? 0 };
        return { id: crypto.randomUUID(), file, state: "done", progress: 1, sent: one };
      });
      setFiles((before) => [...files, ...before]);
    },
  };
}

/** As requests take it, with all that is needed to show it again. */
export const attachmentOf = ({ url, name = null, mime = null, size = null }: SentAttachment) => ({
  url,
  name,
  mime,
  size,
});
