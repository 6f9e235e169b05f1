import { BYTES, PLAIN_TEXT } from "@frontdesk/core/domain/file-type";
import { fileTypeFromBuffer } from "file-type";

/** A type is recognised by its beginning: this sample bounds the work for any file. */
const SAMPLE_BYTES = 65_536;

/** Detects the type of a file while its bytes pass: by them alone, whatever the declared type. */
export interface ContentWatcher {
  see(bytes: Uint8Array): void;
  /** Of all bytes so far. */
  mime(): Promise<string>;
}

/**
 * A type with a signature is recognised by it; otherwise the file is plain text when all of it is UTF-8 without NUL, else
 * bytes. What a browser might run (HTML, SVG, XML) is text, and so plain text.
 */
export function watchContent(): ContentWatcher {
  const sample: Uint8Array[] = [];
  let sampled = 0;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isText = true;

  return {
    see(bytes) {
      if (sampled < SAMPLE_BYTES) {
        const part = bytes.subarray(0, SAMPLE_BYTES - sampled);
        sample.push(part);
        sampled += part.byteLength;
      }
      isText &&= !bytes.includes(0) && decodes(bytes, true);
    },
    async mime() {
      const signature = await signatureOf(Buffer.concat(sample));
      if (signature !== undefined && !/^text\/|[/+]xml$/.test(signature)) return signature;
      return isText && decodes(Buffer.alloc(0), false) ? PLAIN_TEXT : BYTES;
    },
  };

  function decodes(bytes: Uint8Array, more: boolean): boolean {
    try {
      decoder.decode(bytes, { stream: more });
      return true;
    } catch {
      return false;
    }
  }
}

/** A file that begins like a type and is invalid further on has none. */
async function signatureOf(sample: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(sample))?.mime;
  } catch {
    return undefined;
  }
}
