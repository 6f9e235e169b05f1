/** What a model wrote as plain text: no HTML, no images, no Markdown, and links only to where the owner's own pages are. */

/** Characters that are not seen, or that change the direction of others. Joiners stay: Arabic, Hindi and emojis are written with them. */
const INVISIBLE = /(?!\t|\n|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;
const PRIVATE = /\p{Co}/gu;
/** Stands where an address was that may not be shown; a private character, so that no text can contain it. */
export const REMOVED_ADDRESS = "\uE000";

const TOP_LEVEL =
  "com|net|org|io|co|dev|app|info|biz|shop|store|online|site|website|xyz|top|club|live|link|click|ai|me|tv|eu|uk|us|de|at|ch|fr|es|pt|br|it|nl|pl|ru|cn|jp|in|kr|tk|test|example|invalid|zip|mov";
/** Anything that a program or a person may open: with a scheme, with `www.`, or a bare name with a usual ending. */
const ADDRESS = new RegExp(
  "(?:[a-z][a-z0-9+.-]{1,20}:[\\\\/]{2}|\\b(?:javascript|vbscript|livescript|file|blob|view-source|intent|mailto|tel|sms|ftp)\\s*:(?=\\S)|\\bdata\\s*:(?=[\\w/+.-]*[;,])" +
    '|[\\\\/]{2}(?=[\\w-]+\\.)|\\bwww\\.)[^\\s<>"“”«»]*' +
    `|(?<![\\w@.-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\\.){1,4}(?:(?:${TOP_LEVEL})(?![\\w@-]|\\.\\w)(?:[/?#][^\\s<>"]*)?|[a-z]{2,20}[/:][^\\s<>"]+)`,
  "giu",
);
const TRAILING = /[.,:;!?'"*_~…。、，！？)\]}]+$/u;
const MARKDOWN_LINK =
  /(!?)\[([^[\]\n]{0,500})\]\(\s*<?([^()\s<>]{0,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,500})?)>?(?:\s+["'(][^\n)]{0,300}["')])?\s*\)/gu;
const REFERENCE = /(!?)\[([^[\]\n]{1,500})\]\[([^[\]\n]{0,100})\]/gu;
export const EMPHASIS = /(\*\*|__)(?=\S)([^*_\n]{1,500}?)\1/gu;
const REFERENCE_TARGET = /^[ \t]*\[[^\]\n]{1,100}\]:[ \t]*\S.*$/gmu;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  colon: ":",
  sol: "/",
};

/**
 * @param mayLink whether an address, as `URL` reads it, may be shown
 * @returns the text, `REMOVED_ADDRESS` in the place of every address that may not
 */
export function plainAnswer(written: string, mayLink: (url: URL) => boolean): string {
  // What a name of a character stands for may be one that is not seen.
  const seen = withoutInvisible(decoded(withoutInvisible(written))).replace(PRIVATE, "");
  const unmarked = withoutTags(seen)
    .replace(REFERENCE_TARGET, "")
    .replace(MARKDOWN_LINK, (_all, image: string, text: string, target: string) => {
      if (/^\d{1,4}$/.test(text)) return `[${text}]`;
      if (image !== "") return "";
      return readAddress(target, mayLink) && !text.includes(target) ? `${text} (${target})` : text;
    })
    .replace(REFERENCE, (all, image: string, text: string, to: string) => {
      // "[1][2]" are citations.
      if (image === "" && /^\d{1,4}$/.test(to)) return all;
      return image === "" ? text : "";
    })
    .replace(/!(?=\[)/g, "")
    .replace(EMPHASIS, "$2")
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+/gmu, "")
    .replace(/`{1,3}/g, "");
  // Signs of Markdown may have hidden tags, and tags hide an address: it is looked for at the very end.
  const checked = withoutTags(unmarked).replace(ADDRESS, (found) => {
    const trailing = TRAILING.exec(found.includes("(") ? found.replace(/\)+$/, "") : found)?.[0] ?? "";
    const address = found.slice(0, found.length - trailing.length);
    // What opens a mail program or a phone is shown as the address or number that it is, and judged as such.
    const direct = /^(?:mailto|tel|sms)\s*:\s*(?:\/\/)?([^?\s]*)/iu.exec(address)?.[1];
    if (direct !== undefined) return `${direct}${trailing}`;
    return `${readAddress(address, mayLink) ? address : REMOVED_ADDRESS}${trailing}`;
  });
  return checked.trim();
}

/** Whether the text contains an address at all. */
export const hasAddress = (text: string): boolean => text.includes(REMOVED_ADDRESS) || text.search(ADDRESS) >= 0;

/** The addresses of a text, as they are written there, without the punctuation after them. */
export const addressesIn = (text: string): string[] =>
  (text.match(ADDRESS) ?? []).map((address) => address.replace(TRAILING, ""));

/** The text without its addresses, whose digits are no figures. */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, " ");

export const withoutInvisible = (text: string): string => text.toWellFormed().replace(INVISIBLE, "");

function readAddress(address: string, mayLink: (url: URL) => boolean): boolean {
  const hasScheme = /^[a-z][a-z0-9+.-]*:/iu.test(address) && !/^[\w.-]+:\d/u.test(address);
  const url = URL.parse(hasScheme ? address : `https://${address.replace(/^[\\/]+/, "")}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return false;
  return mayLink(url);
}

/** Tags go, and what a browser would still read as the begin of one loses its bracket. */
function withoutTags(text: string): string {
  return text
    .replace(/<(script|style|iframe|object|svg|math|template|noscript)\b[^>]*>[\s\S]*?<\/\1\s*>/giu, "")
    .replace(/<((?:https?:\/\/|mailto:)[^\s<>]+)>/giu, "$1")
    .replace(/<!--[\s\S]*?-->/gu, "")
    .replace(/<\/?[a-z!?][^<>]*>/giu, "")
    .replace(/<(?=[a-z/!?])/giu, "");
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/giu, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}
