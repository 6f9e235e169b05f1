import MailComposer from "nodemailer/lib/mail-composer";
import type { MailAddress } from "../parse/parsed-mail.ts";
import { distinctAddresses, readAddress } from "../rules/mail-address.ts";

/** Longest part of the earlier mail that is quoted, in UTF-16 units. */
const QUOTE_MAX = 20_000;
const BOUNDARY_BYTES = 12;
/** Longest name of a person or file in a header. */
const NAME_MAX = 200;

const AUTOMATIC = { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" } as const;

/** A mail of an agent, in the words that its reader sees. */
export interface MailToCompose {
  from: MailAddress;
  /** Where answers go: the account's address with a token, or the plain one. */
  replyTo: string;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  subject: string;
  /** With angle brackets, as all message ids. */
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
  /** ms since the epoch. */
  date: number;
  text: string;
  /** The mail that is answered, below the text; null for a first mail. */
  quoted: { author: string; date: number; text: string } | null;
  /** The mail that is passed on, with its header, below the text; null where none is. */
  forwarded: string | null;
  /** No person has written it: programs must not answer it (RFC 3834). */
  isAutomatic: boolean;
  attachments: readonly { name: string; mime: string; content: Uint8Array }[];
  /** Files elsewhere on the web: they are linked, never fetched. */
  links: readonly { name: string; url: string }[];
}

/**
 * The bytes of a mail: text, and HTML that is made of the same text alone (no remote images, no styles, links as they were
 * written). A reply of a human carries no Auto-Submitted and no Precedence. Recipients that are not in a header are in no header.
 *
 * @param random for the boundary: the same input makes the same bytes
 */
export async function composeMail(mail: MailToCompose, random: (bytes: number) => Uint8Array): Promise<Uint8Array> {
  const written = [plain(mail.text), ...mail.links.map(({ name, url }) => `${oneLine(name)}: ${url}`)].filter(
    (part) => part !== "",
  );
  const text = written.join("\n\n");
  const forwarded = mail.forwarded === null ? null : plain(mail.forwarded);
  const quote = mail.quoted && { ...mail.quoted, text: plain(firstOf(mail.quoted.text, QUOTE_MAX)) };
  const composer = new MailComposer({
    from: header(mail.from),
    replyTo: header({ name: null, address: mail.replyTo }),
    to: distinctAddresses(mail.to).map(header),
    cc: distinctAddresses(mail.cc).map(header),
    subject: oneLine(mail.subject),
    messageId: mail.messageId,
    ...(mail.inReplyTo !== null && { inReplyTo: mail.inReplyTo }),
    references: [...mail.references],
    date: new Date(mail.date),
    ...(mail.isAutomatic && { headers: AUTOMATIC }),
    text: `${[text, quote && quotedText(quote), forwarded].filter(Boolean).join("\n\n")}\n`,
    html: htmlOf(text, quote, forwarded),
    attachments: mail.attachments.map(({ name, mime, content }) => ({
      filename: oneLine(name),
      contentType: mime,
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    baseBoundary: Buffer.from(random(BOUNDARY_BYTES)).toString("hex"),
    textEncoding: "quoted-printable",
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "\r\n",
  });
  return composer.compile().build();
}

/** `Ada (Acme)`: who of the team writes, and for which brand. */
export function senderName(agentName: string | null, brand: string | null): string | null {
  if (agentName && brand) return `${agentName} (${brand})`;
  return agentName || brand || null;
}

/** An object, not a text to be parsed: parsers of addresses have sent mails elsewhere. */
function header({ name, address }: MailAddress): { name: string; address: string } {
  const readable = readAddress(address);
  if (readable === undefined) throw new Error("This is not an address that mails are sent to.");
  return { name: oneLine(name ?? ""), address: readable };
}

const oneLine = (text: string): string =>
  firstOf(
    text
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
      .trim(),
    NAME_MAX,
  );

function firstOf(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, max).toWellFormed();
}

/** Lines end in the same way, and no other control characters but tabs: a bare CR is an end of a line to some servers. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/(?![\t\n])\p{Cc}/gu, "");

type Quote = NonNullable<MailToCompose["quoted"]>;

const attribution = ({ author, date }: Quote): string =>
  `On ${new Date(date).toISOString().slice(0, 16).replace("T", " ")} UTC, ${oneLine(author)} wrote:`;

function quotedText(quote: Quote): string {
  const lines = quote.text.trimEnd().split("\n");
  return [
    attribution(quote),
    ...lines.map((line) => (line.startsWith(">") || line === "" ? `>${line}` : `> ${line}`)),
  ].join("\n");
}

function htmlOf(text: string, quote: Quote | null, forwarded: string | null): string {
  const body = text === "" && forwarded !== null ? "" : `<div dir="auto">${lines(text)}</div>`;
  // In no container of quotes: who gets it has not read it, so that nothing may fold it.
  if (forwarded !== null) return `${body}${body && "<br>"}<div dir="auto">${lines(forwarded)}</div>`;
  if (!quote) return body;
  // The containers that mail programs, and we, know for quoted text.
  return `${body}<br><div class="gmail_quote"><div>${lines(attribution(quote))}</div><blockquote type="cite">${lines(quote.text.trimEnd())}</blockquote></div>`;
}

const lines = (text: string): string => escaped(text).replaceAll("\n", "<br>\n");

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
