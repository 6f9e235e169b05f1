/** Typed as it is read: without regard to case and spaces around it. */
export function isSame(typed: string, name: string): boolean {
  const plain = (text: string) => text.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
  return plain(typed) === plain(name);
}
