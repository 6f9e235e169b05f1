import { randomBytes } from "node:crypto";
import { generateSync } from "otplib";
import { describe, expect, test } from "vitest";
import { fromBase32, toBase32 } from "./base32.ts";
import { newRecoveryCode, recoveryCodeHash } from "./recovery-code.ts";
import { newTotpSecret, stepOfCode, TOTP_STEP_MS, totpCode, totpUri } from "./totp.ts";

/** RFC 6238, appendix B. */
const RFC_SECRET = toBase32(Buffer.from("12345678901234567890"));
const RFC_VECTORS = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
] as const;

describe("codes of an app", () => {
  test.each(RFC_VECTORS)("at %i s the code is the one of RFC 6238", (seconds, code) => {
    const step = Math.floor((seconds * 1_000) / TOTP_STEP_MS);
    expect(totpCode(RFC_SECRET, step, 8)).toBe(code);
    expect(totpCode(RFC_SECRET, step)).toBe(code.slice(2));
    expect(stepOfCode(RFC_SECRET, code.slice(2), seconds * 1_000)).toBe(step);
  });

  test("are those of another implementation, for any secret and time", () => {
    for (let times = 0; times < 50; times += 1) {
      const secret = newTotpSecret(randomBytes);
      const seconds = randomBytes(4).readUInt32BE();
      const expected = generateSync({ secret, epoch: seconds });
      expect(totpCode(secret, Math.floor(seconds / 30))).toBe(expected);
    }
  });

  test("count one step early and one late, and not two", () => {
    const now = 1_111_111_111_000;
    const present = Math.floor(now / TOTP_STEP_MS);
    for (const around of [-1, 0, 1]) {
      expect(stepOfCode(RFC_SECRET, totpCode(RFC_SECRET, present + around), now)).toBe(present + around);
    }
    for (const around of [-2, 2, 10]) {
      expect(stepOfCode(RFC_SECRET, totpCode(RFC_SECRET, present + around), now)).toBeUndefined();
    }
  });

  test("are six digits, with spaces as apps show them, and nothing else", () => {
    const now = 59_000;
    for (const typed of ["287082", "287 082", " 287082 "]) expect(stepOfCode(RFC_SECRET, typed, now)).toBe(1);
    for (const typed of ["", "28708", "2870822", "94287082", "٢٨٧٠٨٢", "28708x"]) {
      expect(stepOfCode(RFC_SECRET, typed, now), typed).toBeUndefined();
    }
  });
});

test("a secret has 160 bits, and its address holds what apps ask for", () => {
  const secret = newTotpSecret(randomBytes);
  expect(fromBase32(secret)).toHaveLength(20);
  const uri = new URL(totpUri({ secret, issuer: "Frontdesk Æ & Co", account: "ada@acme.test" }));
  expect(uri.protocol).toBe("otpauth:");
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret, issuer: "Frontdesk Æ & Co" });
  expect(decodeURIComponent(uri.pathname)).toContain("Frontdesk Æ & Co:ada@acme.test");
});

test("base32 is RFC 4648, and can be read back", () => {
  expect(toBase32(Buffer.from("foobarfoob"))).toBe("MZXW6YTBOJTG633C");
  for (const bytes of [Buffer.alloc(20), randomBytes(20), randomBytes(15)]) {
    expect(fromBase32(toBase32(bytes))).toEqual(bytes);
  }
});

test("a recovery code has 24 letters, none is made twice, and it counts however it is typed", () => {
  const codes = Array.from({ length: 200 }, () => newRecoveryCode(randomBytes));
  expect(new Set(codes).size).toBe(200);
  for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{6}-){3}[A-Z2-7]{6}$/);
  const [code = ""] = codes;
  const hash = recoveryCodeHash(code);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const typed of [code.toLowerCase(), code.replaceAll("-", ""), code.replaceAll("-", " ")]) {
    expect(recoveryCodeHash(typed)).toBe(hash);
  }
  for (const typed of ["", "123456", `${code}A`, code.slice(1)]) expect(recoveryCodeHash(typed)).toBeUndefined();
});
