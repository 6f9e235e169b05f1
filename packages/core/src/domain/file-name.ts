/**
 * Names of files that others have sent us (docs/decisions/0022-files.md). A name is only shown: it never becomes part of a path
 * on disk.
 */

/** As `NAME_MAX` of the contract, in characters. */
const NAME_MAX = 255;
/** What follows the last dot is kept when a name is cut, unless it is longer than any real extension. */
const ENDING_MAX = 20;
/**
 * The longest part of an address that a name may take, percent signs included: an attachment's address has at most 2,048
 * characters.
 */
const ADDRESS_MAX = 900;
const UNNAMED = "file";

/** Joins letters of several scripts and parts of emoji; every other invisible character can deceive. */
const JOINERS = "\u200c\u200d";
/**
 * Control characters, line ends, and characters that change the direction of a text: `photo\u202egnp.exe` would be read as
 * `photoexe.png`.
 */
const UNSEEN = new RegExp(`(?![${JOINERS}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]`, "gu");

/** A name without its path, without invisible characters, and of at most 255 characters; never empty. */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? "";
  const seen = last.normalize("NFC").replaceAll(UNSEEN, "").replaceAll(/\s+/g, " ").trim();
  // Only dots (`.`, `..`): a name for a folder.
  return /[^.\s]/.test(seen) ? cut(seen) : UNNAMED;
}

/** The name as the last part of an address. For people: nothing is found by it. */
export function nameInAddress(name: string): string {
  let address = "";
  for (const character of name.toWellFormed()) {
    const encoded = encodeURIComponent(character);
    if (address.length + encoded.length > ADDRESS_MAX) break;
    address += encoded;
  }
  // Browsers resolve a lone dot into the path before it.
  return /^\.+$/.test(address) ? UNNAMED : address;
}

/** By characters, so that none is split. */
function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_MAX) return name;
  const ending = [...(/\.[^.]*$/.exec(name)?.[0] ?? "")];
  const kept = ending.length <= ENDING_MAX ? ending : [];
  return [...characters.slice(0, NAME_MAX - kept.length), ...kept].join("");
}
