/** A piece of a message: words, or an address that can be opened. */
export interface TextPiece {
  text: string;
  href?: string;
}

/** Web addresses, and e-mail addresses. What is no http(s) or mailto link stays text. */
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi;
/** What ends a sentence rather than an address. */
const TRAILING = /[.,:;!?'"*_~…。、，！？」』]+$/;

export function linkedText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutTrail(match[0]);
    const href = hrefOf(address);
    if (!href) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: address, href });
    end = match.index + address.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

function withoutTrail(address: string): string {
  const trimmed = address.replace(TRAILING, "");
  // A bracket that was opened before the address closes after it.
  return trimmed.endsWith(")") && !trimmed.includes("(") ? withoutTrail(trimmed.slice(0, -1)) : trimmed;
}

function hrefOf(address: string): string | undefined {
  const asked = /^https?:/i.test(address)
    ? address
    : /^www\./i.test(address)
      ? `https://${address}`
      : `mailto:${address}`;
  return URL.canParse(asked) ? new URL(asked).href : undefined;
}
