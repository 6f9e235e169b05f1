import { cleanFileName } from "@frontdesk/core/domain/file-name";
import type { Attachment } from "postal-mime";
import { attachmentsOfMail } from "./attachments-of-mail.ts";
import { type MimeContent, readBoundedMime } from "./bounded-mime.ts";
import { storableText } from "./decode-text.ts";
import { htmlToPlain } from "./html-to-plain.ts";
import { readMailHead } from "./mail-head.ts";
import { openTnef } from "./open-tnef.ts";
import type { MailHtml, MailPart, ParsedMail } from "./parsed-mail.ts";
import { signedContent } from "./signed-content.ts";

/** Characters. Longer ones are cut: the event loop receives them in one piece, and the original has all of it. */
const TEXT_MAX = 2_000_000;
const HTML_MAX = 8_000_000;
/** What a browser shows of it: newsletters have a tenth of this. */
const SHOWN_HTML_MAX = 2_000_000;
/** Of a mail that could not be read as a whole: its beginning, where the text is. */
const TEXT_ONLY_BYTES = 2 * 1024 * 1024;

/**
 * Reads a mail. Runs in a worker thread: hostile mails may take any time and memory.
 *
 * @throws MailRefused beyond the bounds
 */
export async function parseMail(bytes: Uint8Array): Promise<ParsedMail> {
  const head = readMailHead(bytes);
  const { outer, texts, parts } = await contentOf(bytes);
  return {
    ...head,
    ...texts,
    textOfHtml: texts.html === null ? null : storableText(htmlToPlain(texts.html)),
    parts,
    attachments: attachmentsOfMail({ html: texts.html, parts }).attachments,
    contentType: { type: outer.type, params: outer.params },
  };
}

/**
 * The HTML of a mail with its images; null for one without HTML. It is read anew whenever it is shown: nothing of it is stored.
 *
 * @throws MailRefused beyond the bounds
 */
export async function readMailHtml(bytes: Uint8Array): Promise<MailHtml | null> {
  const {
    texts: { html },
    parts,
  } = await contentOf(bytes);
  if (html === null) return null;
  const { inline } = attachmentsOfMail({ html, parts });
  return {
    html: html.slice(0, SHOWN_HTML_MAX).toWellFormed(),
    isCut: html.length > SHOWN_HTML_MAX,
    images: inline.map(({ contentId, mime, content }) => ({
      contentId,
      url: `data:${mime};base64,${Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")}`,
    })),
  };
}

async function contentOf(bytes: Uint8Array) {
  const outer = await readBoundedMime(bytes);
  const { email } = (await readSigned(outer)) ?? outer;
  return { outer, ...withTnef(textsOf(email), email.attachments.map(toPart)) };
}

/** The text alone, of the beginning of the mail. HTML is not looked into: it may be what took too long. */
export async function parseMailText(bytes: Uint8Array): Promise<ParsedMail> {
  const { email, type, params } = await readBoundedMime(bytes.subarray(0, TEXT_ONLY_BYTES));
  const contentType = { type, params };
  return { ...readMailHead(bytes), ...textsOf(email), textOfHtml: null, parts: [], attachments: [], contentType };
}

/** With what Outlook has put into `winmail.dat`: its files in its place, and its text where the mail has none. */
function withTnef(texts: Texts, parts: MailPart[]): { texts: Texts; parts: MailPart[] } {
  const hasText = texts.html !== null || (texts.text ?? "").trim() !== "";
  const { parts: opened, text, html } = openTnef(parts, hasText);
  return { texts: (text ?? html) === null ? texts : textsOf({ text, html }), parts: opened };
}

type Texts = Pick<ParsedMail, "text" | "html">;

function textsOf({ text, html }: { text?: string | null | undefined; html?: string | null | undefined }): Texts {
  return {
    text: text == null ? null : storableText(text.slice(0, TEXT_MAX)).trimEnd(),
    html: html == null ? null : storableText(html.slice(0, HTML_MAX)),
  };
}

/**
 * The mail inside an opaque S/MIME signature, which is not verified; null when the mail is none. A signed part of a larger mail
 * stays a file.
 */
async function readSigned({ email, type }: MimeContent): Promise<MimeContent | null> {
  const [only] = email.attachments;
  if (!/^application\/(x-)?pkcs7-mime$/.test(type) || !only) return null;
  const content = signedContent(bytesOf(only));
  return content && readBoundedMime(content);
}

function toPart(attachment: Attachment): MailPart {
  const { filename, mimeType, disposition, contentId } = attachment;
  return {
    name: filename ? cleanFileName(storableText(filename)) : null,
    mime: storableText(mimeType).toLowerCase().slice(0, 255),
    contentId: contentId ? storableText(contentId).replaceAll(/^[<\s]+|[>\s]+$/g, "") || null : null,
    disposition: (["attachment", "inline"] as const).find((known) => known === disposition) ?? null,
    content: bytesOf(attachment),
  };
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
}
