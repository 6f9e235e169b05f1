/**
 * Storage keys of visitors, and fingerprints of what the page says of them.
 *
 * Each identified visitor has their own storage keys, apart from the anonymous visitor's: token, outbox and connection of one
 * are never another's. So what an identified visitor has said is accessible only from a page that identifies them
 * (docs/decisions/0023-verified-visitors.md).
 */
import type { VisitorBody, visitorOperations } from "@frontdesk/core/contract/visitor";
import type { StoredValues } from "./browser-storage.ts";

/** What the page knows of its visitor. Only `identity`, a token from the owner's server, is verified. */
export type IdentifyDetails = VisitorBody<typeof visitorOperations.introduce>;

/** The part of a token that identifies nobody without the rest. */
const SIGNATURE_LENGTH = 43;

/** The storage key prefix of the person named in a token. The service verifies that they are that person. */
export function storageKeyOf(name: string, identity: string): string {
  try {
    const claims = (identity.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    return `${name}@${JSON.parse(atob(claims)).sub}`;
  } catch {
    return `${name}@`;
  }
}

/** Distinguishes two calls of identify. It is stored, so it contains nothing that could identify the visitor again. */
export function fingerprintOf({ identity, ...details }: IdentifyDetails): string {
  return JSON.stringify([details, identity?.slice(-SIGNATURE_LENGTH)]);
}

/** Moves values whose keys begin with `from` to keys that begin with `to`, except the keys in `stays`. */
export function moveStored(values: StoredValues, from: string, to: string, stays: readonly string[] = []): void {
  for (const key of values.keys(`${from}:`)) {
    if (stays.includes(key)) continue;
    values.set(to + key.slice(from.length), values.get(key) ?? "");
    values.delete(key);
  }
}
