import { createHash } from "node:crypto";
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from "imapflow";

/** Larger mails stay on the server: their headers and their first text come in. */
export const MOST_MAIL_BYTES = 50 * 1024 * 1024;
const MOST_HEADER_BYTES = 256 * 1024;
const MOST_TEXT_BYTES = 256 * 1024;
const MOST_PARTS = 200;

export type ImapCommands = Pick<ImapFlow, "fetch" | "fetchOne" | "fetchAll" | "search">;

/** Runs one command within a time; after it the connection is closed, and the command fails. */
export type Within = <T>(ms: number, command: () => Promise<T>) => Promise<T>;

export const COMMAND_MS = 60_000;
const WHOLE_MAIL_MS = 600_000;

/** How much of a mail is asked for. `little` and `nothing` are for a mail that has broken the connection before. */
export type FetchDepth = "whole" | "little" | "nothing";

/**
 * The bytes of a mail; undefined when it is not there any more. Marks nothing as read (BODY.PEEK).
 *
 * @param size as the server says it; the real size is bounded as well, by the connection's limit of a literal
 */
export async function fetchMail(
  client: ImapCommands,
  { uid, size, depth }: { uid: number; size: number; depth: FetchDepth },
  within: Within,
): Promise<Uint8Array | undefined> {
  if (depth === "nothing") return reducedMail({ uid, headers: Buffer.from("") }, NOT_FETCHED);
  if (depth === "little") return fetchReduced(client, uid, NOT_FETCHED, within);
  if (size > MOST_MAIL_BYTES) return fetchReduced(client, uid, tooLarge(size), within);
  const mail = await within(WHOLE_MAIL_MS, () => client.fetchOne(`${uid}`, { source: true }, { uid: true }));
  if (!mail || mail.uid !== uid || !mail.source) return undefined;
  if (mail.source.length <= MOST_MAIL_BYTES) return mail.source;
  return fetchReduced(client, uid, tooLarge(mail.source.length), within);
}

/** A server that has said too small sizes: what comes after so many bytes is left. */
const MOST_PIECE_BYTES = 4 * 1024 * 1024;

/**
 * Small mails by one command, by UID; those are missing that are not there any more.
 *
 * @param onNext called with the UID that is awaited then
 * @returns also those that are to be fetched one by one
 */
export async function fetchMails<Mail extends { uid: number }>(
  client: ImapCommands,
  mails: readonly Mail[],
  onNext: (uid: number) => void,
  within: Within,
): Promise<{ raws: Map<number, Uint8Array>; left: Mail[] }> {
  const awaited = new Map(mails.map((mail) => [mail.uid, mail]));
  const raws = new Map<number, Uint8Array>();
  const left: Mail[] = [];
  let bytes = 0;
  await within(WHOLE_MAIL_MS, async () => {
    const query = { uid: true, source: true };
    for await (const { uid, source } of client.fetch([...awaited.keys()].join(","), query, { uid: true })) {
      const mail = awaited.get(uid);
      if (!mail || !source) continue;
      awaited.delete(uid);
      onNext(awaited.keys().next().value ?? uid);
      bytes += source.length;
      if (bytes > MOST_PIECE_BYTES) left.push(mail);
      else raws.set(uid, source);
    }
  });
  return { raws, left };
}

const NOT_FETCHED = "This mail could not be fetched from the mail server as a whole. It is still in the mailbox.";

const tooLarge = (bytes: number): string =>
  `This mail is too large (${Math.round(bytes / 1024 / 1024)} MB). Its attachments are still in the mailbox.`;

async function fetchReduced(
  client: ImapCommands,
  uid: number,
  note: string,
  within: Within,
): Promise<Uint8Array | undefined> {
  const query = { headers: true, bodyStructure: true };
  const mail = await within(WHOLE_MAIL_MS, () => client.fetchOne(`${uid}`, query, { uid: true }));
  if (!mail || mail.uid !== uid) return undefined;
  const headers = mail.headers ?? Buffer.from("");
  const text = firstText(mail.bodyStructure);
  if (!text) return reducedMail({ uid, headers }, note);
  const key = text.part ?? "1";
  const bodyParts = [{ key, start: 0, maxLength: MOST_TEXT_BYTES }];
  const fetched = await within(WHOLE_MAIL_MS, () => client.fetchOne(`${uid}`, { bodyParts }, { uid: true }));
  const body = fetched ? partOf(fetched, key) : undefined;
  return reducedMail({ uid, headers, ...(body && { text: { ...text, body } }) }, note);
}

/** Servers name a part that was cut as they like (`1`, `1<0>`); only one was asked for. */
const partOf = ({ bodyParts }: FetchMessageObject, key: string): Buffer | undefined =>
  bodyParts?.get(key.toLowerCase()) ?? bodyParts?.get(key) ?? bodyParts?.values().next().value;

/** The first part that is text, the plain one before the others. */
function firstText(root: MessageStructureObject | undefined): MessageStructureObject | undefined {
  const parts: MessageStructureObject[] = root ? [root] : [];
  for (let next = 0; next < parts.length && parts.length < MOST_PARTS; next += 1) {
    parts.push(...(parts[next]?.childNodes ?? []));
  }
  const texts = parts.filter(
    ({ type, disposition }) => /^text\/(plain|html)$/i.test(type) && disposition !== "attachment",
  );
  return texts.find(({ type }) => /plain$/i.test(type)) ?? texts[0];
}

interface Reduced {
  uid: number;
  headers: Buffer;
  text?: MessageStructureObject & { body: Buffer };
}

/**
 * A mail of the headers and the first text of another, and a line that says so. The same mail gives the same bytes under any UID, so that
 * it is known when it is moved back; of one without headers, nothing but its UID is known.
 */
function reducedMail({ uid, headers, text }: Reduced, note: string): Uint8Array {
  const kept = keptHeaders(headers);
  const digest = createHash("sha256").update(kept.length > 0 ? kept : `${uid}`);
  const boundary = `reduced-${digest.digest("hex").slice(0, 32)}`;
  const subtype = /html$/i.test(text?.type ?? "") ? "html" : "plain";
  const charset = token(text?.parameters?.charset) ?? "utf-8";
  const encoding = token(text?.encoding) ?? "8bit";
  const parts = text
    ? [
        `--${boundary}\r\nContent-Type: text/${subtype}; charset="${charset}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
        text.body,
        "\r\n",
      ]
    : [];
  const pieces = [
    kept,
    `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`,
    ...parts,
    `--${boundary}\r\nContent-Type: text/${subtype}; charset="utf-8"\r\n\r\n`,
    subtype === "html" ? `<p>[${note}]</p>` : `[${note}]`,
    `\r\n--${boundary}--\r\n`,
  ];
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
}

const token = (value: string | undefined): string | undefined =>
  value && /^[\w.:+-]{1,60}$/.test(value) ? value : undefined;

/** Whole headers with their folded lines, without those that describe the body. */
function keptHeaders(headers: Buffer): Buffer {
  // One byte is one character, so that nothing changes.
  const lines = headers.subarray(0, MOST_HEADER_BYTES).toString("latin1").split(/\r?\n/);
  const kept: string[] = [];
  let keeps = false;
  for (const line of lines) {
    if (line === "") break;
    if (!/^[ \t]/.test(line)) keeps = /^[!-9;-~]+[ \t]*:/.test(line) && !/^(content-|mime-version)/i.test(line);
    if (keeps) kept.push(`${line}\r\n`);
  }
  return Buffer.from(kept.join(""), "latin1");
}
