import { ZipBuffer } from "node:zlib";

export interface Unzipped {
  /** In their order. */
  names: string[];
  /** @throws Error when it is not there, or not as its checksum says */
  read(name: string): Buffer;
}

/** A zip file, read by Node's own reader, which knows nothing of what wrote it. */
export function unzipped(zip: Buffer): Unzipped {
  const archive = new ZipBuffer(zip);
  return {
    names: [...archive].map(([name]) => name),
    read: (name) => archive.get(name).contentSync(),
  };
}
