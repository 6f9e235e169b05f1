/** Only the digits of a phone number; empty without a number. */
export function phoneDigits(phone: string | null): string {
  return (phone ?? "").normalize("NFKC").replaceAll(/\D/g, "");
}

/**
 * The digits of a search that may be a phone number, or null when it contains anything but digits and the usual signs between
 * them ("Vera 2" is a name, "+49 (30) 1" is a number). Decision 1.
 */
export function phoneSearchDigits(search: string): string | null {
  if (!/^[\d\s+()./-]+$/.test(search.normalize("NFKC"))) return null;
  return phoneDigits(search) || null;
}
