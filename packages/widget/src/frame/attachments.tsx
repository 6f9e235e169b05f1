import { isRefusal, type UploadedFile } from "@frontdesk/client/visitor";
import type { FrameState, Parts } from "./frame-state.ts";
import { crossIcon, fileIcon, icon } from "./icons.tsx";
import { MOST_FILES } from "./message-bounds.ts";

/** The retry interval of an upload without an answer. */
const AGAIN_MS = 5_000;
const TOO_LARGE = 413;
/** The images that every browser shows. */
const SHOWN = /^image.(png|jpeg|gif|webp|avif)$/;

/** A file of the message being written. `url`, `mime`: set once it is uploaded. */
export interface DraftFile extends Partial<UploadedFile> {
  key: number;
  name: string;
  size: number;
  /** The uploaded part, from 0 to 1. */
  part: number;
  /** Why the upload failed; `waiting` is retried automatically. */
  problem?: "tooLarge" | "empty" | "failed" | "waiting" | undefined;
  /** Both only for a file that was chosen on this page; a retry only where it can help. */
  again?: (() => void) | undefined;
  cancel?(): void;
  /** The address of an image that was chosen on this page, empty for another file. A function: an address is not stored. */
  picture?(): string;
}

/** The files of the message being written, with their progress. */
export function Attachments(parts: Parts) {
  const { t, fill, size, config, frame } = parts;
  const words = {
    tooLarge: fill(t.$tooLarge, { size: size(config.fileMax) }),
    empty: t.$empty,
    failed: t.$failed,
    waiting: t.$waiting,
  };
  // The list scrolls: what keeps the message from being sent is at its top.
  const inOrder = frame.files.toSorted((one, next) => Number(!one.problem) - Number(!next.problem));
  return (
    frame.files.length > 0 && (
      <ul class="files" aria-label={t.$attach}>
        {inOrder.map((file) => (
          <li key={file.key}>
            {file.picture?.() ? <img src={file.picture()} alt="" /> : icon(fileIcon)}
            <span class="name">
              <bdi>{file.name}</bdi>
              {file.problem ? (
                <span class="problem" role="alert">
                  {words[file.problem]}
                </span>
              ) : (
                <span class="meta">{size(file.size)}</span>
              )}
              {!file.problem && !file.url && <progress value={file.part} aria-label={file.name} />}
            </span>
            {file.problem && file.again && (
              <button type="button" class="text" onClick={file.again}>
                {t.$retry}
              </button>
            )}
            <button type="button" aria-label={`${t.$discard}: ${file.name}`} onClick={() => discard(file, parts)}>
              {icon(crossIcon)}
            </button>
          </li>
        ))}
      </ul>
    )
  );
}

/** Attaches files that are dropped anywhere on the chat, or pasted. */
export function listenForFiles(partsNow: () => Parts): void {
  const take = (event: Event, data: DataTransfer | null) => {
    const parts = partsNow();
    parts.change({ dropping: false });
    if (!data?.files.length) return;
    event.preventDefault();
    attach(data.files, parts);
  };
  addEventListener("paste", (event) => take(event, event.clipboardData));
  addEventListener("drop", (event) => take(event, event.dataTransfer));
  addEventListener("dragover", (event) => {
    const { frame, change } = partsNow();
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (!frame.dropping) change({ dropping: true });
  });
  // Leaving the document, not moving between its elements.
  addEventListener("dragleave", ({ relatedTarget }) => !relatedTarget && partsNow().change({ dropping: false }));
}

/** Adds files to the draft, and uploads them at once. */
export function attach(files: Iterable<File>, parts: Parts): void {
  const { frame, change } = parts;
  const chosen = [...files];
  const added = chosen.slice(0, MOST_FILES - frame.files.length).map((file) => draftFile(file, parts));
  change({ files: [...frame.files, ...added], tooMany: added.length < chosen.length });
  for (const { again } of added) again?.();
}

function draftFile(file: File, { chat, config, frame, change }: Parts): DraftFile {
  const { name, size } = file;
  const problem = size > config.fileMax ? "tooLarge" : size ? undefined : "empty";
  const draft: DraftFile = { key: Math.random(), name, size, part: 0, problem, again: problem ? undefined : again };
  const picture = SHOWN.test(file.type) ? URL.createObjectURL(file) : "";
  draft.picture = () => picture;
  return draft;

  async function again(): Promise<void> {
    draft.problem = undefined;
    const upload = chat.upload(file, (part) => {
      draft.part = part;
      change({});
    });
    draft.cancel = upload.cancel;
    change({});
    const answer = await upload.done;
    if (!frame.files.includes(draft)) return;
    if (answer.ok) Object.assign(draft, answer.body.file);
    else if (isRefusal(answer.status)) {
      if (answer.status === TOO_LARGE) draft.again = undefined;
      draft.problem = draft.again ? "failed" : "tooLarge";
      frame.sending = false;
    } else {
      draft.problem = "waiting";
      setTimeout(() => draft.problem === "waiting" && frame.files.includes(draft) && again(), AGAIN_MS);
    }
    change({});
    goOn(frame);
  }
}

function discard(file: DraftFile, { frame, change }: Parts): void {
  change({ files: frame.files.filter((each) => each !== file), tooMany: false });
  file.cancel?.();
  goOn(frame);
}

/** Sends the message that was waiting for its files. */
function goOn({ sending, files }: FrameState): void {
  if (sending && files.every(({ url }) => url)) document.querySelector("textarea")?.form?.requestSubmit();
}
