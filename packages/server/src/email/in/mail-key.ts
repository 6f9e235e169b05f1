import { createHash, type Hash } from "node:crypto";

/** Headers beyond this are not read: then the whole mail is hashed as it is. */
const HEADERS_MAX_BYTES = 2 * 1_048_576;
/** What makes a mail the same one, with its body. */
const NAMED_BY = ["message-id", "from", "date"] as const;
/** Written on the way, and different each time that the same mail is delivered. */
const TRACE = /^(?:received|return-path|delivered-to|envelope-to|delivery-date|authentication-results|x-.*|arc-.*)$/;

const LF = 10;
const CR = 13;

/**
 * The key of a mail: the SHA-256 of its Message-ID, From, Date and body; without a Message-ID, of the whole mail less trace headers.
 * Not of the Message-ID alone: one who guesses or reuses an id would suppress another's mail. Line ends, and empty lines at the end,
 * make no difference: servers change them.
 *
 * @param content the mail, in pieces; only its headers are in memory
 * @returns hexadecimal
 */
export async function mailKey(content: AsyncIterable<Uint8Array>): Promise<string> {
  let headers: Buffer = Buffer.alloc(0);
  let body: BodyHash | undefined;
  for await (const piece of content) {
    if (body) {
      body.add(piece);
      continue;
    }
    const from = Math.max(0, headers.byteLength - 3);
    headers = Buffer.concat([headers, piece]);
    const end = endOfHeaders(headers, from);
    if (end === undefined && headers.byteLength <= HEADERS_MAX_BYTES) continue;
    body = bodyHash(end === undefined ? [] : headersOf(headers.subarray(0, end)));
    body.add(headers.subarray(end ?? 0));
    headers = Buffer.alloc(0);
  }
  return (body ?? bodyHash(headersOf(headers))).digest();
}

/**
 * The key of a mail that is taken from the folder of sent mails. Another one than that of its copies: one that came in to us before
 * must not keep it out of its conversation.
 *
 * @param key as `mailKey`
 */
export const sentMailKey = (key: string): string => createHash("sha256").update(`sent:${key}`).digest("hex");

/** Where the body begins; undefined when the headers have not ended. */
function endOfHeaders(bytes: Buffer, from: number): number | undefined {
  // A mail that begins with an empty line has no headers.
  if (bytes[0] === LF) return 1;
  if (bytes[0] === CR && bytes[1] === LF) return 2;
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return undefined;
}

/** Names in lower case, values unfolded, their white space reduced to single spaces. */
function headersOf(bytes: Buffer): [name: string, value: string][] {
  const headers: [string, string][] = [];
  for (const line of bytes.toString("latin1").split(/\r?\n/)) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last) last[1] += ` ${line}`;
    else if (line.includes(":")) {
      const at = line.indexOf(":");
      headers.push([line.slice(0, at).trim().toLowerCase(), line.slice(at + 1)]);
    }
  }
  return headers.map(([name, value]) => [name, value.split(/\s+/).filter(Boolean).join(" ")]);
}

interface BodyHash {
  add(bytes: Uint8Array): void;
  digest(): string;
}

function bodyHash(headers: readonly [name: string, value: string][]): BodyHash {
  const valuesOf = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  const ids = valuesOf("message-id").filter((id) => id !== "");
  const named = ids.length > 0 ? NAMED_BY.map(valuesOf) : headers.filter(([name]) => !TRACE.test(name));
  const hash = createHash("sha256").update(JSON.stringify(named)).update("\n\n");
  return { add: withoutLineEnds(hash), digest: () => hash.digest("hex") };
}

/** Carriage returns are left out, and line feeds wait for what follows them: at the end nothing does. */
function withoutLineEnds(hash: Hash): (bytes: Uint8Array) => void {
  let waiting = 0;
  return (bytes) => {
    const some = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    while (from < some.byteLength) {
      const byte = some[from];
      if (byte === LF || byte === CR) {
        if (byte === LF) waiting += 1;
        from += 1;
        continue;
      }
      for (; waiting > 0; waiting -= Math.min(waiting, LINE_FEEDS.byteLength)) {
        hash.update(LINE_FEEDS.subarray(0, waiting));
      }
      const end = lineEnd(some, from);
      hash.update(some.subarray(from, end));
      from = end;
    }
  };
}

const LINE_FEEDS = Buffer.alloc(1_024, LF);

function lineEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.byteLength && bytes[at] !== LF && bytes[at] !== CR) at += 1;
  return at;
}
