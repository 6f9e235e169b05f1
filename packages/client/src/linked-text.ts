/** A piece of a message: words, or an address that can be opened. */
export interface TextPiece {
  text: string;
  href?: string;
}

/** Longer addresses stay text, in UTF-16 units. Browsers and mail programs cut them anyway. */
const MAX_WEB_ADDRESS = 2_048;
/** Bounds of the two parts of an e-mail address (RFC 5321, 4.5.3.1). */
const MAX_LOCAL_PART = 64;
const MAX_DOMAIN = 255;

/** Every pattern here is bounded or never starts twice over the same text: strangers choose what it reads. */
const WEB_ADDRESS = /\b(?:https?:\/\/|www\.)/gi;
const CHUNK = /[^\s<>"]+/g;
const LOCAL_PART = /[\w.+-]/;
const DOMAIN = /^[\w-]+(?:\.[\w-]+)+/;
/** What ends a sentence rather than an address. */
const TRAILING = new Set(".,:;!?'\"*_~…。、，！？」』");

/**
 * Splits a message into text and links: web addresses, and e-mail addresses. What is no http(s) or mailto link stays
 * text. The pieces put together are the message. Takes time in proportion to the length of `text`.
 */
export function linkedText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    for (const found of addressesIn(chunk)) {
      if (!URL.canParse(found.href)) continue;
      const at = index + found.at;
      if (at > end) pieces.push({ text: text.slice(end, at) });
      pieces.push({ text: found.address, href: new URL(found.href).href });
      end = at + found.address.length;
    }
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

interface Found {
  at: number;
  address: string;
  /** What the address would open; it may not be one after all. */
  href: string;
}

/** The addresses of a text without white space, in their order. A web address reaches to the end of it. */
function addressesIn(chunk: string): Found[] {
  const found: Found[] = [];
  let from = 0;
  for (;;) {
    const web = webAddressAfter(chunk, from);
    from = addMailAddresses(found, chunk, from, web ?? chunk.length);
    if (web === undefined) return found;
    if (from <= web) {
      return chunk.length - web > MAX_WEB_ADDRESS ? found : [...found, webAddress(chunk, web)];
    }
    // What looked like a web address is part of an e-mail address, as in vera@www.acme.test: go on behind that.
  }
}

function webAddress(chunk: string, at: number): Found {
  const address = withoutTrail(chunk.slice(at));
  return { at, address, href: /^www\./i.test(address) ? `https://${address}` : address };
}

function webAddressAfter(chunk: string, from: number): number | undefined {
  WEB_ADDRESS.lastIndex = from;
  return WEB_ADDRESS.exec(chunk)?.index;
}

/** Adds those that begin at `from` or later and before `to`; answers where the last of them ends. */
function addMailAddresses(found: Found[], chunk: string, from: number, to: number): number {
  let end = from;
  const last = to + MAX_LOCAL_PART;
  for (
    let sign = chunk.indexOf("@", from);
    sign >= 0 && sign <= last;
    sign = chunk.indexOf("@", Math.max(end, sign + 1))
  ) {
    const at = startOfLocalPart(chunk, end, sign);
    if (at !== undefined && at >= to) break;
    const domain = DOMAIN.exec(chunk.slice(sign + 1, sign + 1 + MAX_DOMAIN))?.[0];
    if (at === undefined || domain === undefined) continue;
    end = sign + 1 + domain.length;
    const address = withoutTrail(chunk.slice(at, end));
    found.push({ at, address, href: `mailto:${address}` });
  }
  return end;
}

/** Where the local part before the `@` at `sign` begins; undefined when there is none, or it is too long. */
function startOfLocalPart(text: string, from: number, sign: number): number | undefined {
  let at = sign;
  while (at > from && LOCAL_PART.test(text[at - 1] as string)) {
    at -= 1;
    if (sign - at > MAX_LOCAL_PART) return undefined;
  }
  // It begins with a letter or a digit: what stands before that belongs to the sentence.
  while (at < sign && !/\w/.test(text[at] as string)) at += 1;
  return at < sign ? at : undefined;
}

function withoutTrail(address: string): string {
  // A bracket that was opened before the address closes after it.
  const opensBracket = address.includes("(");
  let end = address.length;
  while (end > 0) {
    const last = address[end - 1] as string;
    if (!TRAILING.has(last) && (last !== ")" || opensBracket)) break;
    end -= 1;
  }
  return address.slice(0, end);
}
