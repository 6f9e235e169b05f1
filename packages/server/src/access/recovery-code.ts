import { hash } from "node:crypto";
import { toBase32 } from "./base32.ts";

/** 120 bits: a plain SHA-256 is enough to store (ASVS 6.5.2). */
const BYTES = 15;
const LETTERS = 24;
const GROUP = 6;

/** A new code, in groups that can be copied by hand. */
export function newRecoveryCode(random: (bytes: number) => Buffer): string {
  const letters = toBase32(random(BYTES));
  return Array.from({ length: LETTERS / GROUP }, (_, at) => letters.slice(at * GROUP, (at + 1) * GROUP)).join("-");
}

/** What is stored of a code, however it is typed; undefined for a text that is none. */
export function recoveryCodeHash(code: string): string | undefined {
  const letters = code.toUpperCase().replaceAll(/[\s-]/g, "");
  return /^[A-Z2-7]{24}$/.test(letters) ? hash("sha256", letters, "hex") : undefined;
}
