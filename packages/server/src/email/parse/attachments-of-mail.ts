import type { MailAttachment, MailPart, ParsedMail } from "./parsed-mail.ts";

/** What every browser shows and none runs: in an SVG are scripts. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
/** Of all images of a mail together: they are shown in one answer. The others are listed. */
export const INLINE_MAX_BYTES = 10 * 1_048_576;

const NAMES: Readonly<Record<string, string>> = {
  "message/rfc822": "message.eml",
  "message/delivery-status": "delivery-status.txt",
  "text/calendar": "invitation.ics",
  "application/ics": "invitation.ics",
  "application/ms-tnef": "winmail.dat",
  "application/pkcs7-mime": "smime.p7m",
  "application/pkcs7-signature": "smime.p7s",
  "application/pgp-signature": "signature.asc",
  "text/plain": "text.txt",
  "text/html": "text.html",
};

/** An image with the id by which the HTML refers to it. */
export type InlineImage = MailPart & { contentId: string };

/**
 * Every part once: an image that the HTML refers to is shown in it; everything else is listed, in order. Of several with one id the
 * first is shown.
 */
export function attachmentsOfMail({ html, parts }: Pick<ParsedMail, "html" | "parts">): {
  attachments: MailAttachment[];
  inline: InlineImage[];
} {
  const references = referencesIn(html ?? "");
  const attachments: MailAttachment[] = [];
  const inline: InlineImage[] = [];
  let room = INLINE_MAX_BYTES;
  for (const part of parts) {
    const { contentId, content, mime } = part;
    const forms = contentId === null ? undefined : references.get(contentId);
    if (contentId !== null && forms && SHOWN_TYPES.has(mime) && content.byteLength <= room) {
      room -= content.byteLength;
      for (const form of forms) references.delete(form);
      inline.push({ ...part, contentId });
    } else attachments.push({ ...part, name: part.name ?? nameOf(part) });
  }
  return { attachments, inline };
}

/** Where an image is drawn: `src="cid:…"`, `background="cid:…"`, `url(cid:…)`. */
const REFERENCE =
  /(?<=\b(?:src|background)\s{0,9}=\s{0,9}["']?|url\(\s{0,9}(?:["']|&quot;)?)cid:([^"'\s<>)&]{1,998}(?:&amp;[^"'\s<>)&]{0,998}){0,9})/gi;

/** The forms of each id, as it is written and decoded: both lead to both. */
function referencesIn(html: string): Map<string, readonly string[]> {
  const references = new Map<string, readonly string[]>();
  for (const [, id = ""] of html.matchAll(REFERENCE)) {
    const forms = [id, decoded(id)];
    for (const form of forms) references.set(form, forms);
  }
  return references;
}

function decoded(id: string): string {
  const plain = id.replaceAll("&amp;", "&");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function nameOf({ mime }: MailPart): string {
  const ending = /^(?:image|audio|video)\/([a-z0-9]{2,5})$/.exec(mime)?.[1];
  return NAMES[mime] ?? (ending ? `file.${ending}` : "file");
}
