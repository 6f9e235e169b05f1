/** Properties of MAPI as TNEF has them (MS-OXTNEF 2.1.3.4). Everything in it is hostile: lengths are cut to what is there. */

/** More of one set are not read. */
const PROPERTIES_MAX = 2_000;
/** More values of one property are passed over, in any case. */
const VALUES_MAX = 10_000;
/** A GUID, then the kind of name. */
const GUID_BYTES = 16;
const NAMED_FROM = 0x8000;
const MULTIPLE = 0x1000;

export const mapiTypes = { string8: 0x1e, unicode: 0x1f, object: 0x0d, binary: 0x102 } as const;
const VARIABLE: ReadonlySet<number> = new Set(Object.values(mapiTypes));
/** The lengths of the others, with what fills them up to four bytes. */
const FIXED: Readonly<Record<number, number>> = {
  ...{ 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 },
};

export interface MapiProperty {
  type: number;
  /** The first value. */
  value: Uint8Array;
}

/** The properties by their id, without those that have names in place of ids; ends at what is not readable. */
export function readMapiProperties(bytes: Uint8Array): ReadonlyMap<number, MapiProperty> {
  const found = new Map<number, MapiProperty>();
  const reader = readerOf(bytes);
  const count = Math.min(reader.uint32() ?? 0, PROPERTIES_MAX);
  for (let index = 0; index < count; index += 1) {
    const [type, id] = [reader.uint16(), reader.uint16()];
    if (type === undefined || id === undefined) break;
    if (id >= NAMED_FROM && !skipName(reader)) break;
    const value = readValue(reader, type);
    if (!value) break;
    if (id < NAMED_FROM && !found.has(id)) found.set(id, { type: type & ~MULTIPLE, value });
  }
  return found;
}

export type Reader = ReturnType<typeof readerOf>;

/** Little endian; undefined beyond the end. */
export function readerOf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const number = (length: number, read: (from: number) => number): number | undefined => {
    if (at + length > bytes.length) return undefined;
    const value = read(at);
    at += length;
    return value;
  };
  return {
    uint8: () => number(1, (from) => view.getUint8(from)),
    uint16: () => number(2, (from) => view.getUint16(from, true)),
    uint32: () => number(4, (from) => view.getUint32(from, true)),
    /** Less, where it ends before. */
    bytes(length: number): Uint8Array {
      const taken = bytes.subarray(at, at + length);
      at = Math.min(at + length, bytes.length);
      return taken;
    },
    isAtEnd: () => at >= bytes.length,
  };
}

/** A number, or a text. */
function skipName(reader: Reader): boolean {
  reader.bytes(GUID_BYTES);
  const kind = reader.uint32();
  const length = reader.uint32();
  if (kind === undefined || length === undefined) return false;
  if (kind === 1) reader.bytes(padded(length));
  return !reader.isAtEnd();
}

function readValue(reader: Reader, type: number): Uint8Array | undefined {
  const single = type & ~MULTIPLE;
  const isVariable = VARIABLE.has(single);
  const fixed = FIXED[single];
  if (!isVariable && fixed === undefined) return undefined;
  const count = isVariable || type !== single ? reader.uint32() : 1;
  if (count === undefined || count > VALUES_MAX) return undefined;
  let first: Uint8Array = new Uint8Array();
  for (let index = 0; index < count; index += 1) {
    const length = isVariable ? reader.uint32() : fixed;
    if (length === undefined) return undefined;
    const value = reader.bytes(padded(length)).subarray(0, length);
    if (index === 0) first = value;
  }
  return first;
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;
