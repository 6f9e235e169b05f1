const TOKEN_LENGTH = 43;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 that a byte can hold: bytes above it would make some letters likelier. */
const EVEN = 248;

/** What a visitor is known by: 256 random bits (docs/decisions/0020-live-stream.md). */
export function newVisitorToken(): string {
  let letters = "";
  while (letters.length < TOKEN_LENGTH) {
    const [byte = EVEN] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < EVEN) letters += ALPHABET[byte % 62];
  }
  return `fd_visitor_${letters}`;
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
