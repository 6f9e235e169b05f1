import { hashPassword } from "@frontdesk/server/access/password";

const hashes = new Map<string, Promise<string>>();

/** The hash of a password; each is computed once, because hashing is slow on purpose. */
export function passwordHashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
}
