/** A piece of a message: text, or an address that can be opened. */
export interface TextPiece {
  text: string;
  href?: string;
}

/** In UTF-16 units. Longer addresses stay text: browsers and mail programs cut them anyway. */
const MAX_ADDRESS = 2_000;
/**
 * Web and e-mail addresses. Strangers choose the text, so backtracking is bounded by the length of a local part in RFC 5321
 * (4.5.3.1).
 */
const ADDRESS = /\b(?:(https?:\/\/)|(www\.))[^\s<>"]+|\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/gi;
/** Characters that end a sentence rather than an address. */
const TRAILING = ".,:;!?'\"*_~…。、，！？";

/**
 * Splits a message into text and links. Anything but http(s) and mailto links stays text. The joined pieces equal the message.
 * Takes time proportional to the length of `text`.
 */
export function linkedText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, 1: web, 2: www, index } of text.matchAll(ADDRESS)) {
    let { length } = found;
    // A bracket opened before the address closes after it.
    const trailing = found.includes("(") ? TRAILING : `${TRAILING})`;
    while (trailing.includes(found[length - 1] as string)) length -= 1;
    const address = found.slice(0, length);
    const href = (web ? "" : www ? "https://" : "mailto:") + address;
    if (length > MAX_ADDRESS || !URL.canParse(href)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: address, href });
    end = index + length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
