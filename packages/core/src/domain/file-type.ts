/**
 * What files are to browsers (docs/decisions/0022-files.md). Only types that no browser runs anything in are shown in place; every
 * other file is saved, and is said to be bytes or plain text whatever else it may be.
 */

export const BYTES = "application/octet-stream";
export const PLAIN_TEXT = "text/plain";

/** Pictures, films and sounds. No SVG: it can hold a script. */
const SHOWN_IN_PLACE = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "video/mp4",
  "video/webm",
  "audio/mpeg",
  "audio/mp4",
  "audio/x-m4a",
  "audio/aac",
  "audio/ogg",
  "audio/ogg; codecs=opus",
  "audio/wav",
  "audio/flac",
]);

export type AttachmentKind = "image" | "video" | "audio" | "file";

/** What an attachment is in a word, as its `type` says it. A picture that browsers do not show is a file. */
export function attachmentKind(mime: string): AttachmentKind {
  const kind = mime.split("/", 1)[0];
  return SHOWN_IN_PLACE.has(mime) && (kind === "image" || kind === "video" || kind === "audio") ? kind : "file";
}

export interface ServedAs {
  contentType: string;
  disposition: "inline" | "attachment";
}

/** @param mime by the content; what the sender called it never counts */
export function servedAs(mime: string): ServedAs {
  if (SHOWN_IN_PLACE.has(mime)) return { contentType: mime, disposition: "inline" };
  if (mime === "application/pdf") return { contentType: mime, disposition: "attachment" };
  return { contentType: mime === PLAIN_TEXT ? `${PLAIN_TEXT}; charset=utf-8` : BYTES, disposition: "attachment" };
}
