import { inflateRawSync } from "node:zlib";

/** Of all parts together: no text that becomes articles is longer, and what is made of one takes many times its room. */
const UNPACKED_MAX_BYTES = 16 * 1_048_576;

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_MAX_BYTES = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const PART = 0x04034b50;
const PART_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  method: number;
  packedBytes: number;
  /** Where its part begins, which has a head of its own. */
  at: number;
}

/** Its parts are more than may be unpacked. */
export class TooMuchUnpacked extends Error {}

/** The parts of a ZIP file by their names, as mammoth asks for them. */
export interface Zip {
  exists(name: string): boolean;
  read(name: string, encoding?: string): Promise<string | Uint8Array>;
}

/**
 * Opens a ZIP file whose parts together may be unpacked to 16 MiB: a small file can hold gigabytes, and an unpacked text that finds no
 * room ends the process, not only its thread. Without the extensions for files above 4 GiB, and without encrypted ones.
 *
 * @throws when it is none; `read` when a part is none, or with `TooMuchUnpacked`
 */
export function openZip(bytes: Buffer): Zip {
  const entries = entriesOf(bytes);
  let left = UNPACKED_MAX_BYTES;

  function unpacked(name: string): Buffer {
    const entry = entries.get(name);
    if (!entry) throw new Error("The ZIP file has no such part.");
    const part = partOf(bytes, entry);
    // What it says about its size proves nothing.
    const content = entry.method === STORED ? part : inflated(part, left);
    left -= content.byteLength;
    if (left <= 0) throw new TooMuchUnpacked();
    return content;
  }

  return {
    exists: (name) => entries.has(name),
    async read(name, encoding) {
      const content = unpacked(name);
      return encoding === undefined ? content : new TextDecoder(encoding).decode(content);
    },
  };
}

function inflated(part: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateRawSync(part, { maxOutputLength });
  } catch (error) {
    throw (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? new TooMuchUnpacked() : error;
  }
}

function entriesOf(bytes: Buffer): Map<string, Entry> {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const entries = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let read = 0; read < count; read += 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error("The list of a ZIP file is broken.");
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    entries.set(bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + name), {
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + name + extra + comment;
  }
  return entries;
}

/** The list of the parts is told at the end, before a comment. */
function endOf(bytes: Buffer): number {
  const last = bytes.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - COMMENT_MAX_BYTES); at -= 1) {
    if (bytes.readUInt32LE(at) === END) return at;
  }
  throw new Error("This is no ZIP file.");
}

function partOf(bytes: Buffer, { method, packedBytes, at }: Entry): Buffer {
  if (method !== STORED && method !== DEFLATED) throw new Error("A part of the ZIP file is packed in an unknown way.");
  if (bytes.readUInt32LE(at) !== PART) throw new Error("A part of the ZIP file is not where it should be.");
  const from = at + PART_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  return bytes.subarray(from, from + packedBytes);
}
