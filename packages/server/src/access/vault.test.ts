/** docs/decisions/0010-secrets-at-rest.md, docs/decisions/0034-changing-the-sealing-key.md */
import { createCipheriv, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openVault, type SealedPlace, sealedColumns } from "./vault.ts";

const [key, other] = [randomBytes(32), randomBytes(32)];
const place: SealedPlace = { column: "webhooks.secret_sealed", teamId: "acme", id: "hook" };

test("a sealed text opens in its own place, and in no other", () => {
  const vault = openVault(key);
  const sealed = vault.seal("geheim", place);
  expect(sealed).not.toContain("geheim");
  expect(vault.open(sealed, place)).toBe("geheim");
  const elsewhere: SealedPlace[] = [
    ...sealedColumns.filter((column) => column !== place.column).map((column) => ({ ...place, column })),
    { ...place, teamId: "sams" },
    { ...place, id: "hook2" },
    { ...place, teamId: "acm", id: "ehook" },
    { ...place, teamId: 'acme","x', id: "hook" },
  ];
  for (const wrong of elsewhere) expect(() => vault.open(sealed, wrong), JSON.stringify(wrong)).toThrow();
});

test("a text that was changed, cut, or is none does not open", () => {
  const vault = openVault(key);
  const sealed = vault.seal("geheim", place);
  const [version, name, body = ""] = sealed.split(".");
  const bytes = Buffer.from(body, "base64url");
  const flipped = Buffer.from(bytes.map((byte, index) => (index === 20 ? byte ^ 1 : byte)));
  const wrong = [
    "",
    "v2",
    "v2..",
    "v3.a.b",
    body,
    sealed.slice(0, -4),
    `${version}.${name}.${flipped.toString("base64url")}`,
  ];
  // Taking away what names the key and the place does not make it one of the older form.
  for (const text of [...wrong, `v1.${body}`]) expect(() => vault.open(text, place), text).toThrow();
});

test("what an older version has sealed, without its place, is still read", () => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const text = Buffer.concat([cipher.update("geheim"), cipher.final()]);
  const sealed = `v1.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")}`;
  expect(openVault(key).open(sealed, place)).toBe("geheim");
  expect(openVault(other, key).open(sealed, place)).toBe("geheim");
  expect(() => openVault(other).open(sealed, place)).toThrow();
});

test("the previous key opens what it has sealed, and seals nothing", () => {
  const [before, between] = [openVault(key), openVault(other, key)];
  expect(between.open(before.seal("geheim", place), place)).toBe("geheim");
  const fresh = between.seal("geheim", place);
  expect(fresh.startsWith(between.sealedNow)).toBe(true);
  expect(openVault(other).open(fresh, place)).toBe("geheim");
  expect(() => before.open(fresh, place)).toThrow("a key that is not known here");
  expect([between.fingerprint, between.previousFingerprint]).toEqual([
    openVault(other).fingerprint,
    before.fingerprint,
  ]);
});
