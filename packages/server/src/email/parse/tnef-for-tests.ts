/** Writes `winmail.dat` as Outlook does, as far as the tests need it (MS-OXTNEF). */
const uint16 = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff]);
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

export interface WrittenProperty {
  id: number;
  type: number;
  value: Buffer;
}

export const unicode = (id: number, text: string): WrittenProperty => ({
  ...{ id, type: 0x1f },
  value: Buffer.from(`${text}\0`, "utf16le"),
});
export const string8 = (id: number, text: string): WrittenProperty => ({
  ...{ id, type: 0x1e },
  value: Buffer.from(`${text}\0`, "latin1"),
});
export const binary = (id: number, value: Buffer): WrittenProperty => ({ id, type: 0x102, value });
/** A mail in the mail. */
export const embedded = (stream: Buffer): WrittenProperty => ({
  ...{ id: 0x3701, type: 0x0d },
  value: Buffer.concat([Buffer.from("0703020000000000c000000000000046", "hex"), stream]),
});

const padding = (length: number): Buffer => Buffer.alloc((4 - (length % 4)) % 4);

export function propertiesOf(properties: readonly WrittenProperty[]): Buffer {
  const written = properties.map(({ id, type, value }) =>
    Buffer.concat([uint16(type), uint16(id), uint32(1), uint32(value.length), value, padding(value.length)]),
  );
  return Buffer.concat([uint32(properties.length), ...written]);
}

export function attribute(level: 1 | 2, id: number, data: Buffer): Buffer {
  const checksum = data.reduce((sum, byte) => (sum + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.from([level]), uint32(id), uint32(data.length), data, uint16(checksum)]);
}

export interface WrittenFile {
  title?: string;
  content?: Buffer;
  properties?: readonly WrittenProperty[];
}

export function tnefOf({
  codePage = 1252,
  properties = [],
  files = [],
}: {
  codePage?: number;
  properties?: readonly WrittenProperty[];
  files?: readonly WrittenFile[];
}): Buffer {
  return Buffer.concat([
    uint32(0x223e9f78),
    uint16(1),
    attribute(1, 0x00069007, Buffer.concat([uint32(codePage), uint32(0)])),
    attribute(1, 0x00069003, propertiesOf(properties)),
    ...files.flatMap(({ title, content, properties: own }) => [
      attribute(2, 0x00069002, Buffer.alloc(14)),
      ...(title === undefined ? [] : [attribute(2, 0x00018010, Buffer.from(`${title}\0`, "latin1"))]),
      ...(content ? [attribute(2, 0x0006800f, content)] : []),
      ...(own ? [attribute(2, 0x00069005, propertiesOf(own))] : []),
    ]),
  ]);
}
