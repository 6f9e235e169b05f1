import { BYTES, PLAIN_TEXT } from "@frontdesk/core/domain/file-type";
import { fileTypeFromBuffer } from "file-type";

/** What a type is known by stands at the beginning; a sample, so that no file can make us look for long. */
const SAMPLE_BYTES = 65_536;

/** Finds out what a file is, while its bytes go by: by them alone, whatever it was said to be. */
export interface ContentWatcher {
  see(bytes: Buffer): void;
  /** Of everything that was seen. */
  mime(): Promise<string>;
}

/**
 * A type with a signature is known by it; else it is plain text when all of it is UTF-8 without NUL; else it is bytes. What
 * a browser might run (HTML, SVG, XML) is text, and so plain text.
 */
export function watchContent(): ContentWatcher {
  const sample: Buffer[] = [];
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

  function decodes(bytes: Buffer, more: boolean): boolean {
    try {
      decoder.decode(bytes, { stream: more });
      return true;
    } catch {
      return false;
    }
  }
}

/** What looks like something and is broken further on is not known. */
async function signatureOf(sample: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(sample))?.mime;
  } catch {
    return undefined;
  }
}
