/**
 * How files are sent to browsers (docs/decisions/0022-files.md). Only types in which no browser executes anything are shown
 * inline; every other file is saved, as bytes or plain text whatever else it may be.
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

/** The kind of an attachment, its `type`. A picture that browsers do not show is a file. */
export function attachmentKind(mime: string): AttachmentKind {
  const kind = mime.split("/", 1)[0];
  return SHOWN_IN_PLACE.has(mime) && (kind === "image" || kind === "video" || kind === "audio") ? kind : "file";
}

export interface ServedAs {
  contentType: string;
  disposition: "inline" | "attachment";
}

/** @param mime detected from the content; the sender's declaration never counts */
export function servedAs(mime: string): ServedAs {
  if (SHOWN_IN_PLACE.has(mime)) return { contentType: mime, disposition: "inline" };
  if (mime === "application/pdf") return { contentType: mime, disposition: "attachment" };
  return { contentType: mime === PLAIN_TEXT ? `${PLAIN_TEXT}; charset=utf-8` : BYTES, disposition: "attachment" };
}
