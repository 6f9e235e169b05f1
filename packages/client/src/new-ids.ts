const TOKEN_LENGTH = 43;
/** 88 random base64 digits. Without the two that are not alphanumeric, too few are left once in 10^40 times. */
const BYTES = 66;

/** The visitor's token: 43 alphanumeric characters, all equally likely (docs/decisions/0020-live-stream.md). */
export function newVisitorToken(): string {
  const digits = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))));
  return `fd_visitor_${digits.replace(/\W/g, "").slice(0, TOKEN_LENGTH)}`;
}

/**
 * A UUID (version 7) of its creation time, in milliseconds, so that ids sort by creation. `crypto.randomUUID` is missing on
 * pages not served over https; this is not.
 */
export function newClientId(time: number): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => (byte % 16).toString(16)).join("");
  const digits = `${time.toString(16).padStart(12, "0")}7${random.slice(0, 3)}8${random.slice(3)}`;
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** A new id that sorts after the id `last`, also when the clock was set back. */
export function newClientIdAfter(last: string | undefined, time: number): string {
  return newClientId(Math.max(time, last === undefined ? 0 : timeOfClientId(last) + 1));
}

/** The creation time of an id. */
export function timeOfClientId(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}
