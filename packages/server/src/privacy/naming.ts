import { literalPattern } from "@frontdesk/core/domain/literal-pattern";
import { foldSearch } from "@frontdesk/core/domain/search-text";
import type { SealedPlace } from "../access/vault.ts";
import type { ContactRow } from "../storage/tables.ts";

/** What a contact is named by in texts about others. */
export interface Naming {
  name: string | null;
  email: string | null;
  /** Those that they wrote emails from, folded; an erasure that an older version has begun has none. */
  addresses?: string[];
  phoneDigits: string;
  /** The website's own id of them. */
  verifiedId: string | null;
}

export type Named = Pick<ContactRow, "name" | "email" | "phone_digits" | "verified_id"> & {
  /** A list, as JSON (`contact-to-hide-store.ts`). */
  addresses: string;
};

export const namingOf = ({ name, email, addresses, phone_digits, verified_id }: Named): Naming => ({
  name,
  email,
  addresses: JSON.parse(addresses),
  phoneDigits: phone_digits,
  verifiedId: verified_id,
});

/** Where it is sealed until the contact is erased. */
export const namingPlace = (teamId: string, contactId: string): SealedPlace => ({
  column: "erased_contacts.naming_sealed",
  teamId,
  id: contactId,
});

/** A name of two letters is in half of all texts. */
const SHORTEST_NAME = 3;
const SHORTEST_PHONE = 6;
const ID = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/gi;

/**
 * Whether a text names one of some contacts: by one of the ids, or by name, e-mail or phone as whole words. Letter case and accents do not
 * matter.
 *
 * @param ids of the contacts and their conversations
 */
export function names(naming: readonly Naming[], ids: ReadonlySet<string>): (text: string) => boolean {
  const isNamed = naming.map(namesOne);
  const bare = new Set([...ids].map(withoutDashes));
  return (text) =>
    (text.match(ID) ?? []).some((id) => bare.has(withoutDashes(id))) || isNamed.some((isIn) => isIn(text));
}

function namesOne({ name, email, addresses = [], phoneDigits, verifiedId }: Naming): (text: string) => boolean {
  const words = [name, email, ...addresses, verifiedId]
    .filter((word) => word !== null)
    .map((word) => foldSearch(word).trim())
    .filter((word) => word.length >= SHORTEST_NAME);
  const named =
    words.length > 0
      ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(literalPattern).join("|")})(?![\\p{L}\\p{N}])`, "u")
      : undefined;
  return (text) =>
    (named?.test(foldSearch(text)) ?? false) ||
    (phoneDigits.length >= SHORTEST_PHONE && text.replaceAll(/[\s().\-/]/g, "").includes(phoneDigits));
}

const withoutDashes = (id: string): string => id.replaceAll("-", "").toLowerCase();

/** Shorter texts, such as "Thanks", are in calls that have nothing to do with the message. */
const SHORTEST_PART = 12;

/** Where the text of a redacted message, or the address of a removed agent, is sealed until what repeats it is erased. */
export const sealedTextPlace = (teamId: string, erasureId: string): SealedPlace => ({
  column: "erasures.text_sealed",
  teamId,
  id: erasureId,
});

/** Whether one of the texts in a JSON text is that of a message, or has it as a part. White space at the ends does not matter. */
export function repeats(message: string): (json: string) => boolean {
  const sought = message.trim();
  if (sought === "") return () => false;
  const isPart = sought.length >= SHORTEST_PART;
  return (json) => valuesIn(json).some((text) => text.trim() === sought || (isPart && text.includes(sought)));
}

/** The texts in a JSON text, with its names. */
export function textsIn(json: string): string {
  const texts: string[] = [];
  JSON.parse(json, (key, value) => {
    texts.push(key, ...textOf(value));
    return value;
  });
  return texts.join("\n");
}

function valuesIn(json: string): string[] {
  const texts: string[] = [];
  JSON.parse(json, (_, value) => {
    texts.push(...textOf(value));
    return value;
  });
  return texts;
}

const textOf = (value: unknown): string[] =>
  typeof value === "string" || typeof value === "number" ? [String(value)] : [];
