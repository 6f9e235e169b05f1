import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";

/** A file in a zip. */
export interface ZipEntry {
  path: string;
  content: Readable;
  modifiedAt: Date;
  /** Pictures and the like are as small as they get. */
  isCompressed: boolean;
}

/**
 * A zip file (ZIP64 where it needs that), made while it is read: one entry after the other, so that no more than a few chunks are in
 * memory. It fails when an entry does; the entry being read is destroyed when the output is closed.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  let current: Readable | undefined;
  output.once("close", () => current?.destroy());
  zip.on("error", (error) => output.destroy(error));
  addAll().catch((error) => output.destroy(error));
  return output;

  async function addAll(): Promise<void> {
    for await (const { path, content, modifiedAt, isCompressed } of entries) {
      current = content;
      if (output.destroyed) content.destroy();
      const read = finished(content);
      zip.addReadStream(content, path, { mtime: modifiedAt, compress: isCompressed });
      await read;
    }
    zip.end();
  }
}
