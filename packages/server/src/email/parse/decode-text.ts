const UTF8 = new TextDecoder("utf-8", { fatal: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/** What to read bytes of an undeclared charset as: UTF-8 if they are valid UTF-8, which other charsets almost never are. */
export function undeclaredCharset(bytes: Uint8Array): "utf-8" | "windows-1252" {
  try {
    UTF8.decode(bytes);
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/**
 * The charset to read bytes of a declared one in. One that no decoder knows ("uft-8", "charset") is none where the bytes are UTF-8 with
 * letters beyond ASCII; what is left is the parser's to guess.
 */
export function readableCharset(declared: string, bytes: Uint8Array): string {
  if (isKnown(declared) || bytes.every((byte) => byte < 0x80)) return declared;
  return undeclaredCharset(bytes) === "utf-8" ? "utf-8" : declared;
}

function isKnown(charset: string): boolean {
  try {
    return new TextDecoder(charset) !== null;
  } catch {
    return false;
  }
}

/** UTF-7 (RFC 2152), which no browser reads any more and old mails are in: `Fr+APY-sche`. */
export function isUtf7(charset: string): boolean {
  return /^(?:x-)?(?:unicode-\d-\d-|cs)?(?:unicode11)?utf-?7$/i.test(charset.trim());
}

export function decodeUtf7(bytes: Uint8Array): string {
  return WINDOWS_1252.decode(bytes).replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (_shift, encoded: string) => {
    if (encoded === "") return "+";
    const units = Buffer.from(encoded, "base64");
    // Two bytes a unit, the high one first; the bits that are left over are none.
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString("utf16le");
  });
}

export function decodeUndeclared(bytes: Uint8Array): string {
  return (undeclaredCharset(bytes) === "utf-8" ? UTF8 : WINDOWS_1252).decode(bytes);
}

/** A text that both engines can store: no NUL, no lone surrogates; lines end in `\n`. */
export function storableText(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "").toWellFormed();
}
