import { createHash } from "node:crypto";
import type { Passage } from "@frontdesk/core/domain/passages";

/** What makes vectors that can be compared with one another. */
export interface EmbeddedBy {
  baseUrl: string;
  model: string;
  /** How many numbers a vector has. */
  size: number;
}

/** What is sent of a passage. */
export const embeddedText = ({ title, text }: Passage): string => `${title}\n${text}`;

/** The same only for the same text and the same kind of vector. */
export const fingerprintOf = (passage: Passage, { baseUrl, model, size }: EmbeddedBy): string =>
  createHash("sha256")
    .update(JSON.stringify([embeddedText(passage), baseUrl, model, size]))
    .digest("base64url");

/** Which kind of vectors something was told for. */
export const hashOf = ({ baseUrl, model, size }: EmbeddedBy): string =>
  createHash("sha256")
    .update(JSON.stringify([baseUrl, model, size]))
    .digest("base64url");

/** Of length 1, so that the product of two is their cosine. */
export function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(cosineOf(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Of two of length 1 and of the same size. Four sums at a time, since each addition waits for the one before it. */
export function cosineOf(one: Float32Array, other: Float32Array): number {
  const whole = one.length - (one.length % 4);
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = 0; at < whole; at += 4) {
    first += (one[at] as number) * (other[at] as number);
    second += (one[at + 1] as number) * (other[at + 1] as number);
    third += (one[at + 2] as number) * (other[at + 2] as number);
    fourth += (one[at + 3] as number) * (other[at + 3] as number);
  }
  let sum = first + second + third + fourth;
  for (let at = whole; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** Stored in the place of a vector that the server does not make: of no numbers, so that it is near to nothing. */
export const LEFT_OUT = "";

export const storedVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");

export function readVector(stored: string): Float32Array {
  // Copied, since numbers of four bytes have to begin at a multiple of four.
  const bytes = new Uint8Array(Buffer.from(stored, "base64"));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT));
}
