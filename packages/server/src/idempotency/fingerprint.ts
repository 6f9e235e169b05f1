import { hash } from "node:crypto";

/**
 * SHA-256 of a JSON value, hexadecimal. The same for two values that differ only in the order of the names of their objects: to
 * JSON they are one value, and a client that builds its request again may write them in another order.
 */
export function fingerprint(value: unknown): string {
  return hash("sha256", canonicalText(value), "hex");
}

/** JSON with sorted names. Lists keep their order, which is significant. */
function canonicalText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const entries = value as Record<string, unknown>;
  const names = Object.keys(entries).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(entries[name])}`).join()}}`;
}
