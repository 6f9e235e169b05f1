import type { ParsedMail } from "../parse/parsed-mail.ts";

/** No more of a mail is looked at for its headers. */
export const BLOCK_MAX = 65_536;

/** The headers at the start of a text, up to its first empty line: names in lower case, values unfolded. Others are passed over. */
export function readHeaderBlock(text: string): ParsedMail["headers"] {
  const headers: [name: string, value: string][] = [];
  for (const line of text
    .slice(0, BLOCK_MAX)
    .trimStart()
    .split(/\r\n|\r|\n/)) {
    if (line.trim() === "") break;
    const last = headers.at(-1);
    const colon = line.indexOf(":");
    if (/^[ \t]/.test(line)) {
      if (last) last[1] += ` ${line.trim()}`;
    } else if (colon > 0) headers.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return headers;
}

/** The start of a part as text: what we read in it is ASCII. */
export const textOfPart = (content: Uint8Array): string => new TextDecoder().decode(content.subarray(0, BLOCK_MAX));
