/** Longest e-mail address that mail servers carry (RFC 5321). */
export const EMAIL_MAX = 254;

/** A dot-atom before the `@`, a domain with a dot after it, ASCII: what the contract's `email` format accepts. */
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`, "i");

export function isEmailAddress(text: string): boolean {
  return text.length <= EMAIL_MAX && EMAIL.test(text);
}
