/**
 * The content of an opaque S/MIME signature (CMS SignedData, RFC 5652), not verified: BER as far as it is needed, indefinite lengths and
 * octet strings in pieces included, as `openssl cms -stream` writes them.
 */

const SEQUENCE = 0x30;
const OBJECT_ID = 0x06;
const CONTEXT_0 = 0xa0;
const OCTET_STRING = 0x04;
const OCTET_STRING_IN_PIECES = 0x24;
/** 1.2.840.113549.1.7.2 */
const SIGNED_DATA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
const DEPTH_MAX = 20;

interface Element {
  tag: number;
  content: Uint8Array;
  /** Where the next one begins. */
  end: number;
}

/** Null for what is no signed data, or carries none. */
export function signedContent(bytes: Uint8Array): Uint8Array | null {
  const outer = readElement(bytes, 0);
  if (outer?.tag !== SEQUENCE) return null;
  const [kind, wrapped] = elements(outer.content, 2);
  if (kind?.tag !== OBJECT_ID || !SIGNED_DATA.every((byte, at) => kind.content[at] === byte)) return null;
  if (wrapped?.tag !== CONTEXT_0) return null;
  const [signed] = elements(wrapped.content, 1);
  // Version, algorithms, content.
  const encapsulated = signed && elements(signed.content, 3)[2];
  const content = encapsulated && elements(encapsulated.content, 2)[1];
  const octets = content?.tag === CONTEXT_0 ? elements(content.content, 1)[0] : undefined;
  return octets ? joinedOctets(octets) : null;
}

function joinedOctets({ tag, content }: Element): Uint8Array | null {
  if (tag === OCTET_STRING) return content;
  if (tag !== OCTET_STRING_IN_PIECES) return null;
  const pieces = elements(content, Number.POSITIVE_INFINITY).filter((piece) => piece.tag === OCTET_STRING);
  return Buffer.concat(pieces.map((piece) => piece.content));
}

function elements(bytes: Uint8Array, max: number): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length && found.length < max; ) {
    const element = readElement(bytes, at);
    if (!element || (element.tag === 0 && element.content.length === 0)) break;
    found.push(element);
    at = element.end;
  }
  return found;
}

/** Tags of one byte are all there are here. Every element ends after its start, so that each loop ends. */
function readElement(bytes: Uint8Array, start: number, depth = 0): Element | null {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined || depth > DEPTH_MAX) return null;
  if (first === 0x80) return readIndefinite(bytes, start, depth);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) return null;
  let length = first < 0x80 ? first : 0;
  for (const byte of bytes.subarray(start + 2, start + 2 + lengthBytes)) length = length * 256 + byte;
  const from = start + 2 + lengthBytes;
  // Cut off: what is there.
  const end = Math.min(from + length, bytes.length);
  return { tag, content: bytes.subarray(from, end), end: Math.max(end, start + 2) };
}

/** Ends with two zero bytes, after whole elements. */
function readIndefinite(bytes: Uint8Array, start: number, depth: number): Element | null {
  const tag = bytes[start] ?? 0;
  let at = start + 2;
  while (at < bytes.length && !(bytes[at] === 0 && bytes[at + 1] === 0)) {
    const inner = readElement(bytes, at, depth + 1);
    if (!inner) return null;
    at = inner.end;
  }
  return { tag, content: bytes.subarray(start + 2, Math.min(at, bytes.length)), end: Math.min(at + 2, bytes.length) };
}
