import type { MessageToSend } from "@frontdesk/client/visitor";
import type { FrameConfig } from "./frame-config.ts";
import type { FrameState, Parts } from "./frame-state.ts";
import { CONTENT_MAX } from "./message-bounds.ts";
import { messageDetails } from "./message-details.ts";
import { tabValues } from "./stored-values.ts";

/** Whether the draft can be sent, now or once its files are uploaded. */
export function isFit({ draft, files }: FrameState): boolean {
  const isRefused = files.some(({ problem }) => problem && problem !== "waiting");
  return (draft.trim() !== "" || files.length > 0) && draft.length <= CONTENT_MAX && !isRefused;
}

/** Sends the draft, once its files are uploaded. */
export function sendDraft(parts: Parts, said: Partial<MessageToSend> = {}): void {
  const { frame, chat, change } = parts;
  if (!isFit(frame)) return;
  if (frame.files.every(({ url }) => url)) {
    const attachments = frame.files.map(({ url = "", name, mime = null, size }) => ({ url, name, mime, size }));
    chat.send({ content: frame.draft.trim(), attachments, ...messageDetails(parts), ...said });
    change({ draft: "", files: [], sending: false, tooMany: false, tookEmail: false });
  } else change({ sending: true });
}

type StoredDraft = Pick<FrameState, "draft" | "files" | "passedEmail" | "dismissed" | "announced">;

const keyOf = ({ widget }: Pick<FrameConfig, "widget">) => `frontdesk-draft:${widget}`;

/** After rendering: stores the draft with its uploaded files, and what is not shown again, for this tab, across the pages of a site. */
export function keepDraft({ config, frame: { draft, files, passedEmail = false, dismissed, announced } }: Parts): void {
  const stored: StoredDraft = { draft, files: files.filter(({ url }) => url), passedEmail, dismissed, announced };
  const isSome = draft || stored.files.length > 0 || passedEmail || dismissed || announced;
  if (isSome) tabValues.set(keyOf(config), JSON.stringify(stored));
  else tabValues.delete(keyOf(config));
}

export function readDraft(config: FrameConfig): Partial<StoredDraft> {
  return JSON.parse(tabValues.get(keyOf(config)) ?? "{}");
}
