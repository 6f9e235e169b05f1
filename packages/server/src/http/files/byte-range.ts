import type { ByteRange } from "../../files/file-storage.ts";

/**
 * The part that a `Range` header asks for (RFC 9110, 14). Several parts at once, other units and invalid headers are ignored:
 * the whole file is the answer.
 *
 * @param size in bytes, at least 1
 * @returns undefined for the whole, "none" when no byte of it exists (416)
 */
export function readRange(header: string | undefined, size: number): ByteRange | "none" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (from === "") return to === "" ? undefined : lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return undefined;
  return first < size ? { first, last } : "none";
}

function lastBytes(count: number, size: number): ByteRange | "none" {
  return count === 0 ? "none" : { first: Math.max(0, size - count), last: size - 1 };
}
