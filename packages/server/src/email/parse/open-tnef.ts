import { cleanFileName } from "@frontdesk/core/domain/file-name";
import { readCompressedRtf } from "./compressed-rtf.ts";
import { storableText } from "./decode-text.ts";
import type { MailPart } from "./parsed-mail.ts";
import { readTnef, type TnefFile } from "./tnef.ts";

/** Of all such parts of a mail together; those beyond stay closed. */
const FILES_MAX = 100;
const CONTENT_ID_MAX = 998;

/**
 * The parts of a mail with the files that Outlook has put into `winmail.dat` in its place; and where the mail has no text, that in it,
 * of which rich text is a file. One that cannot be read stays a file. The original has it in any case.
 */
export function openTnef(
  parts: readonly MailPart[],
  hasText: boolean,
): { parts: MailPart[]; text: string | null; html: string | null } {
  let [text, html]: [string | null, string | null] = [null, null];
  let rtf: Uint8Array | null = null;
  let room = FILES_MAX;
  const opened = parts.flatMap((part): MailPart[] => {
    const content = isTnef(part) && room > 0 ? readTnef(part.content) : null;
    if (!content || content.files.length > room) return [part];
    room -= content.files.length;
    text ??= content.text;
    html ??= content.html;
    rtf ??= content.compressedRtf;
    return content.files.map(toPart);
  });
  if (hasText) return { parts: opened, text: null, html: null };
  const formatted = rtf && text === null && html === null ? readCompressedRtf(rtf) : null;
  const message = formatted ? [toPart({ ...RTF, content: formatted })] : [];
  return { parts: [...message, ...opened], text, html };
}

const RTF = { name: "message.rtf", mime: "application/rtf", contentId: null } as const;

const isTnef = ({ mime, name }: MailPart): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/.test(mime) || /^winmail\.dat$/i.test(name ?? "");

function toPart({ name, mime, contentId, content }: TnefFile): MailPart {
  return {
    name: name === null ? null : cleanFileName(storableText(name)),
    mime: storableText(mime ?? "application/octet-stream")
      .toLowerCase()
      .slice(0, 255),
    contentId: contentId === null ? null : storableText(contentId).slice(0, CONTENT_ID_MAX),
    disposition: "attachment",
    content,
  };
}
