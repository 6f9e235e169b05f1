import type { MailPart, ParsedMail } from "./parsed-mail.ts";

/** A part that is listed below the message. */
export interface MailAttachment extends MailPart {
  name: string;
}

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

/** Every part once: an image that the HTML refers to is shown in it; everything else is listed, in order. */
export function attachmentsOfMail({ html, parts }: Pick<ParsedMail, "html" | "parts">): {
  attachments: MailAttachment[];
  inline: MailPart[];
} {
  const references = new Set(contentIdsIn(html ?? ""));
  const attachments: MailAttachment[] = [];
  const inline: MailPart[] = [];
  for (const part of parts) {
    // The first of several with one id is the one that is shown: `delete` is false for the others.
    if (part.mime.startsWith("image/") && part.contentId !== null && references.delete(part.contentId))
      inline.push(part);
    else attachments.push({ ...part, name: part.name ?? nameOf(part) });
  }
  return { attachments, inline };
}

/** `src="cid:…"`, also percent-encoded. */
function contentIdsIn(html: string): string[] {
  return [...html.matchAll(/cid:([^"'\s<>)]{1,998})/gi)].flatMap(([, id = ""]) => [id, decoded(id)]);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id.replaceAll("&amp;", "&"));
  } catch {
    return id;
  }
}

function nameOf({ mime }: MailPart): string {
  const ending = /^(?:image|audio|video)\/([a-z0-9]{2,5})$/.exec(mime)?.[1];
  return NAMES[mime] ?? (ending ? `file.${ending}` : "file");
}
