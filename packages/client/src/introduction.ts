/**
 * Who the visitor is, as the page says it, and where in the browser what belongs to them is kept.
 *
 * Each person whom a page vouches for has a drawer of their own in the browser's storage, and the visitor whom nobody vouches
 * for has another: token, outbox and connection of one are never those of another. So what a verified visitor has said is
 * reached only from a page that vouches for them (docs/decisions/0023-verified-visitors.md).
 */
import type { VisitorBody, visitorOperations } from "@frontdesk/core/contract/visitor";
import type { StoredValues } from "./browser-storage.ts";

/** What the page knows of its visitor. `identity`, a token of the owner's server, is all of it that somebody vouches for. */
export type Introduction = VisitorBody<typeof visitorOperations.introduce>;

/** Of a token the part that is no use to anybody else. */
const SIGNATURE_LENGTH = 43;

/** The drawer of the person that a token names. Whether they are that person, the service says. */
export function drawerOf(name: string, identity: string): string {
  try {
    const claims = (identity.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    return `${name}@${JSON.parse(atob(claims)).sub}`;
  } catch {
    return `${name}@`;
  }
}

/** What tells two introductions apart. It is kept, and so holds nothing that the page could be imitated with. */
export function printOf({ identity, ...details }: Introduction): string {
  return JSON.stringify([details, identity?.slice(-SIGNATURE_LENGTH)]);
}

/** What the visitor did as a stranger becomes that of the person they turned out to be, but for the keys in `stays`. */
export function moveDrawer(values: StoredValues, from: string, to: string, stays: readonly string[] = []): void {
  for (const key of values.keys(`${from}:`)) {
    if (stays.includes(key)) continue;
    values.set(to + key.slice(from.length), values.get(key) ?? "");
    values.delete(key);
  }
}
