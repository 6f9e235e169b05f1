/**
 * Where in the browser's storage what belongs to a visitor is kept, and what tells apart two things that the page says of them.
 *
 * Each identified visitor has storage keys of their own, and the anonymous visitor has others: token, outbox and connection of
 * one are never those of another. So what an identified visitor has said is reached only from a page that identifies them
 * (docs/decisions/0023-verified-visitors.md).
 */
import type { VisitorBody, visitorOperations } from "@frontdesk/core/contract/visitor";
import type { StoredValues } from "./browser-storage.ts";

/** What the page knows of its visitor. `identity`, a token of the owner's server, is the only part of it that is verified. */
export type IdentifyDetails = VisitorBody<typeof visitorOperations.introduce>;

/** Of a token the part that identifies nobody without the rest. */
const SIGNATURE_LENGTH = 43;

/** What the storage keys of the person begin with whom a token names. Whether they are that person, the service says. */
export function storageKeyOf(name: string, identity: string): string {
  try {
    const claims = (identity.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    return `${name}@${JSON.parse(atob(claims)).sub}`;
  } catch {
    return `${name}@`;
  }
}

/** What tells apart two things that a page says of its visitor. It is stored, so it holds nothing that could identify them again. */
export function fingerprintOf({ identity, ...details }: IdentifyDetails): string {
  return JSON.stringify([details, identity?.slice(-SIGNATURE_LENGTH)]);
}

/** What is stored under keys that begin with `from` moves to those that begin with `to`, but for the keys in `stays`. */
export function moveStored(values: StoredValues, from: string, to: string, stays: readonly string[] = []): void {
  for (const key of values.keys(`${from}:`)) {
    if (stays.includes(key)) continue;
    values.set(to + key.slice(from.length), values.get(key) ?? "");
    values.delete(key);
  }
}
