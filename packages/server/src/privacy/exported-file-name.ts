import { cleanFileName } from "@frontdesk/core/domain/file-name";

/** Folders of every system take names of 255 bytes; archives are often unpacked into deep ones. */
const NAME_MAX_BYTES = 150;
const ENDING_MAX_BYTES = 20;
/** What Windows does not take in a name. */
const FORBIDDEN = /[<>:"|?*\\/]/g;

/**
 * The path of the n-th file in an export. The number makes it unique, also where case does not count, and keeps it from being a
 * name that Windows reserves (`CON`).
 */
export function exportedFilePath(number: number, name: string | null): string {
  const clean = cleanFileName(name ?? "")
    .replaceAll(FORBIDDEN, "_")
    .replace(/[. ]+$/, "");
  return `files/${String(number).padStart(4, "0")}-${cut(clean)}`;
}

/** By characters, so that none is split; the ending stays. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= NAME_MAX_BYTES) return name;
  const ending = /\.[^.]*$/.exec(name)?.[0] ?? "";
  const kept = Buffer.byteLength(ending) <= ENDING_MAX_BYTES ? ending : "";
  let start = "";
  for (const character of name) {
    if (Buffer.byteLength(start + character + kept) > NAME_MAX_BYTES) break;
    start += character;
  }
  return start + kept;
}
