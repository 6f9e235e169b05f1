import { createHash } from "node:crypto";

/** A list of tools as JSON, and a fingerprint of it. */
export interface ListText {
  text: string;
  word: string;
}

/** The catalogue returns the same list for the same permissions, so each is serialised once. */
const written = new WeakMap<readonly object[], ListText>();

/** The text of a list that the catalogue has made. */
export function listText(list: readonly object[]): ListText {
  const known = written.get(list);
  if (known) return known;
  const text = JSON.stringify(list);
  const fresh = { text, word: createHash("sha256").update(text).digest("base64url").slice(0, 22) };
  written.set(list, fresh);
  return fresh;
}
