const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BITS = 5;

/** RFC 4648, without padding: for a number of bytes that 5 bits divide. */
export function toBase32(bytes: Buffer): string {
  const letters = (bytes.length * 8) / BITS;
  let rest = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  while (text.length < letters) {
    text = LETTERS[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

export function fromBase32(text: string): Buffer {
  let value = 0n;
  for (const letter of text) value = (value << 5n) | BigInt(LETTERS.indexOf(letter));
  return Buffer.from(value.toString(16).padStart((text.length * BITS) / 4, "0"), "hex");
}
