import { readerOf } from "./mapi-properties.ts";

/** RTF as Outlook compresses it (MS-OXRTFCP): references into the last 4,096 bytes, which begin with usual words of RTF. */

const COMPRESSED = 0x75465a4c;
const PLAIN = 0x414c454d;
const RING = 4_096;
const RTF_MAX = 5 * 1_048_576;
/** Two bytes stand for 17 at most: what is said to be longer is not. */
const GROWTH_MAX = 9;

const BEGINNING =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/** Null for what is neither; of what is cut off, what is there. */
export function readCompressedRtf(bytes: Uint8Array): Uint8Array | null {
  const reader = readerOf(bytes);
  const [compressedSize, size, kind] = [reader.uint32(), reader.uint32(), reader.uint32()];
  reader.uint32();
  if (compressedSize === undefined || size === undefined) return null;
  if (kind === PLAIN) return reader.bytes(size);
  if (kind !== COMPRESSED) return null;
  const ring = new Uint8Array(RING);
  ring.set(Buffer.from(BEGINNING, "latin1"));
  const out = new Uint8Array(Math.min(size, RTF_MAX, bytes.length * GROWTH_MAX));
  let [write, length] = [BEGINNING.length, 0];
  const put = (byte: number) => {
    out[length] = byte;
    length += 1;
    ring[write] = byte;
    write = (write + 1) % RING;
  };
  while (length < out.length) {
    const flags = reader.uint8();
    if (flags === undefined) break;
    for (let bit = 0; bit < 8 && length < out.length; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        const byte = reader.uint8();
        if (byte === undefined) return out.subarray(0, length);
        put(byte);
        continue;
      }
      const [high, low] = [reader.uint8(), reader.uint8()];
      if (high === undefined || low === undefined) return out.subarray(0, length);
      let from = (high << 4) | (low >> 4);
      // The reference to where it is written next is the end.
      if (from === write) return out.subarray(0, length);
      for (let left = (low & 0x0f) + 2; left > 0 && length < out.length; left -= 1) {
        put(ring[from] ?? 0);
        from = (from + 1) % RING;
      }
    }
  }
  return out.subarray(0, length);
}
