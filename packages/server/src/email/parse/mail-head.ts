import { addressParser, decodeWords } from "postal-mime";
import { decodeUndeclared, storableText } from "./decode-text.ts";
import type { MailAddress, ParsedMail } from "./parsed-mail.ts";

/** What the headers say: all that is known of a mail that could not be read. */
export type MailHead = Omit<ParsedMail, "text" | "html" | "textOfHtml" | "parts" | "attachments" | "contentType">;

export const HEADERS_MAX_BYTES = 256 * 1024;
/** Each becomes an object for the event loop to receive; mails have 20 to 100. */
export const HEADERS_MAX = 2_000;
const ADDRESSES_MAX = 1_000;
const IDS_MAX = 500;
const SUBJECT_MAX = 998;
const ID_MAX = 998;
const NAME_MAX = 255;

/** Never throws; what is malformed is missing. Of a header that may occur once, the first counts (but see `from`). */
export function readMailHead(bytes: Uint8Array): MailHead {
  const headers = readHeaders(bytes.subarray(0, HEADERS_MAX_BYTES));
  const first = (name: string) => headers.find(([each]) => each === name)?.[1] ?? "";
  return {
    headers,
    messageId: messageIds(first("message-id"))[0] ?? null,
    inReplyTo: messageIds(first("in-reply-to")),
    references: messageIds(first("references")),
    // All of them: a mail with two From headers has two senders, which no reader of it may overlook.
    from: addresses(headers, "from"),
    replyTo: addresses(headers, "reply-to"),
    to: addresses(headers, "to"),
    cc: addresses(headers, "cc"),
    subject: oneLine(decodeWords(first("subject")), SUBJECT_MAX),
    date: readDate(first("date")),
  };
}

export function emptyMailHead(): MailHead {
  return readMailHead(new Uint8Array());
}

/** The lines until the first empty one, unfolded. */
function readHeaders(bytes: Uint8Array): [string, string][] {
  const headers: [string, string][] = [];
  for (const line of headerLines(bytes)) {
    const last = headers.at(-1);
    if (last && /^[ \t]/.test(line)) {
      last[1] += line;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    if (headers.length === HEADERS_MAX) break;
    headers.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1)]);
  }
  return headers.map(([name, value]) => [name, value.trim()]);
}

function* headerLines(bytes: Uint8Array): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    const line = storableText(decodeUndeclared(bytes.subarray(start, end))).replaceAll("\n", "");
    if (line === "") return;
    yield line;
    start = end + 1;
  }
}

function addresses(headers: readonly [string, string][], name: string): MailAddress[] {
  const found: MailAddress[] = [];
  for (const [each, value] of headers) {
    if (each !== name) continue;
    for (const { name: shown, address } of addressParser(value, { flatten: true })) {
      const at = address?.lastIndexOf("@") ?? -1;
      if (!address || at < 1 || at === address.length - 1 || /[\s<>]/.test(address)) continue;
      if (found.length === ADDRESSES_MAX) return found;
      found.push({
        name: oneLine(shown ?? "", NAME_MAX) || null,
        address: `${address.slice(0, at)}@${address.slice(at + 1).toLowerCase()}`,
      });
    }
  }
  return found;
}

/** `<a@b>`; ids without `@` exist (old Exchange) and are ids all the same. */
function messageIds(value: string): string[] {
  const ids = value.match(/<[^<>\s]+>/g) ?? [];
  // The oldest and the newest say most.
  const kept = ids.filter(({ length }) => length <= ID_MAX);
  return kept.length <= IDS_MAX ? kept : [...kept.slice(0, 1), ...kept.slice(1 - IDS_MAX)];
}

function oneLine(text: string, max: number): string {
  return [
    ...storableText(text)
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim()
      .slice(0, 2 * max),
  ]
    .slice(0, max)
    .join("")
    .toWellFormed();
}

function readDate(value: string): number | null {
  // Without the comment that many programs append: `(CET)`.
  const time = Date.parse(
    value
      .slice(0, 100)
      .replaceAll(/\([^()]*\)/g, "")
      .trim(),
  );
  return Number.isNaN(time) ? null : time;
}
