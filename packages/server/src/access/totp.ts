import { createHmac, timingSafeEqual } from "node:crypto";
import { fromBase32, toBase32 } from "./base32.ts";

/**
 * Codes of an authenticator app (RFC 6238): SHA-1, 6 digits and 30 seconds, which is what every app can do. A code is accepted one
 * step early or late, for clocks that are wrong and people who type slowly.
 */
export const TOTP_STEP_MS = 30_000;
const DIGITS = 6;
const STEPS_AROUND = [0, -1, 1];
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** A new secret, in base32: what an app takes. */
export function newTotpSecret(random: (bytes: number) => Buffer): string {
  return toBase32(random(SECRET_BYTES));
}

/** The code of one step. */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The step whose code it is; undefined for a wrong one. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const given = code.replaceAll(/\s/g, "");
  if (!/^[0-9]{6}$/.test(given)) return undefined;
  const present = Math.floor(now / TOTP_STEP_MS);
  return STEPS_AROUND.map((around) => present + around).find(
    (step) => step >= 0 && timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(given)),
  );
}

/** What the QR code for an app holds. */
export function totpUri({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
