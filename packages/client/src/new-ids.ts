const TOKEN_LENGTH = 43;
/** Makes 88 digits of base 64. Without the two that are no letters, too few are left once in 10^40 times. */
const BYTES = 66;

/** What a visitor is known by: 43 letters and digits, each as likely as the others (docs/decisions/0020-live-stream.md). */
export function newVisitorToken(): string {
  const digits = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))));
  return `fd_visitor_${digits.replace(/\W/g, "").slice(0, TOKEN_LENGTH)}`;
}

/**
 * A UUID (version 7) of the time it was made at, in milliseconds, so that ids sort as they were made.
 * `crypto.randomUUID` is missing on pages that are not served over https; this is not.
 */
export function newClientId(time: number): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => (byte % 16).toString(16)).join("");
  const digits = `${time.toString(16).padStart(12, "0")}7${random.slice(0, 3)}8${random.slice(3)}`;
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The time that an id was made at. */
export function timeOfClientId(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}
