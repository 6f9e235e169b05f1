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

export function decodeUndeclared(bytes: Uint8Array): string {
  return (undeclaredCharset(bytes) === "utf-8" ? UTF8 : WINDOWS_1252).decode(bytes);
}

/** A text that both engines can store: no NUL, no lone surrogates; lines end in `\n`. */
export function storableText(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "").toWellFormed();
}
