/**
 * The order in which people look for a name in a list: "Äpfel" next to "apple", not after "zoo". It is made here and not by the
 * engines, whose orders differ.
 */
export function inNameOrder<Named extends { name: string }>(named: readonly Named[]): Named[] {
  return named.toSorted((one, other) => collator.compare(one.name, other.name));
}

/** One language for all, so that a list is the same wherever the server runs. */
const collator = new Intl.Collator("en", { numeric: true });
