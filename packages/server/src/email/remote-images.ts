import { watchContent } from "../files/content-type.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { createTurns } from "./imap/turns.ts";

const IMAGE_MAX_BYTES = 5 * 1_048_576;
/** Images in memory of this process; the others wait. */
const AT_ONCE = 20;
/** No SVG: it can hold a script, and it is served from our own address. */
const SHOWN: ReadonlySet<string> = new Set([
  ...["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon"],
]);

/** What image hosts get to know: neither who reads the mail, nor where. */
const HEADERS = {
  Accept: "image/*",
  "Accept-Encoding": "identity",
  "User-Agent": "Mozilla/5.0 (compatible; Frontdesk)",
};

export interface RemoteImage {
  mime: string;
  content: Buffer;
}

/** Fetches an image of a mail, so that no browser of an agent does; undefined for what is none, or is too large. */
export type FetchImage = (url: string) => Promise<RemoteImage | undefined>;

/** @param outbound reaches nothing but the internet: strangers write these addresses */
export function createImageFetcher(outbound: Pick<Outbound, "get">): FetchImage {
  const turn = createTurns(AT_ONCE);
  return async (address) => {
    const url = URL.parse(address);
    if (!url) return undefined;
    const endTurn = await turn();
    try {
      const received = await outbound.get({ url, headers: HEADERS, maxBytes: IMAGE_MAX_BYTES });
      return received && (await asImage(received.content));
    } finally {
      endTurn();
    }
  };
}

/** By its content alone, whatever its server says. */
async function asImage(content: Buffer): Promise<RemoteImage | undefined> {
  const watcher = watchContent();
  watcher.see(content);
  const mime = await watcher.mime();
  return SHOWN.has(mime) ? { mime, content } : undefined;
}
