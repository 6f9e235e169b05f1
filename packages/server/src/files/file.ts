import { because } from "@frontdesk/core/domain/reasons";
import { invalid, Refusal } from "@frontdesk/core/domain/refusal";

/**
 * ```
 * (a request)   -> receiving   the row is there, its content on the way
 * receiving     -> stored      all of it is there; a message may take it
 * stored        -> stored      a message took it (`used_at`): it is kept
 * receiving, stored, not taken in 24 hours
 *               -> removing    no message can take it any more; its content goes, then its row
 * ```
 * An upload that fails (the connection is cut, the file is too large) is removed at once. After a crash the row still exists,
 * so that no content is stored without one. docs/decisions/0022-files.md
 */
export type FileState = "receiving" | "stored" | "removing";

/** A megabyte, in the decimal sense. */
export const MB = 1_048_576;
/** How long a file waits for a message. */
export const UNUSED_LIFE_MS = 86_400_000;

export function fileTooLarge(maxBytes: number): Refusal {
  return new Refusal({ name: "too-large" }, because("file-too-large", { max: maxBytes / MB }));
}

export function fileEmpty(): Refusal {
  return invalid({ file: "file-empty" });
}
