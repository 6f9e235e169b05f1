import { generateKeyPairSync, verify } from "node:crypto";
import { expect, test } from "vitest";
import { readServiceKey, signedAssertion } from "./service-key.ts";

const pemOf = (bits: number) => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  return { pem: privateKey.export({ type: "pkcs8", format: "pem" }) as string, publicKey, privateKey };
};
const { pem, publicKey, privateKey } = pemOf(2_048);
const file = { type: "service_account", client_email: "desk@project.example", private_key: pem };

test("a key is read from a key file, and from PEM in either form", () => {
  expect(readServiceKey(JSON.stringify(file, null, 2))).toEqual({ pem, account: "desk@project.example" });
  expect(readServiceKey(pem)).toEqual({ pem, account: undefined });
  const pkcs1 = privateKey.export({ type: "pkcs1", format: "pem" }) as string;
  expect(readServiceKey(`\n${pkcs1}`)).toEqual({ pem, account: undefined });
});

test.each([
  ["no key", "key"],
  ["a public key", publicKey.export({ type: "spki", format: "pem" }) as string],
  ["a short key", pemOf(1_024).pem],
  [
    "a key of another kind",
    generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  ],
  [
    "a key with a passphrase",
    privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "a" }),
  ],
  ["the file of an OAuth client", JSON.stringify({ web: { client_id: "a", client_secret: "b" } })],
  ["a file with a number for a key", JSON.stringify({ ...file, private_key: 1 })],
  ["a broken file", JSON.stringify(file).slice(0, -3)],
  ["null", "null"],
])("%s is refused", (_what, text) => {
  expect(readServiceKey(String(text))).toBeUndefined();
});

test("an assertion says who asks for whose mailbox, for ten minutes, and is signed with the key", () => {
  const claims = {
    issuer: "desk@project.example",
    mailbox: "support@acme.example",
    audience: "https://a.example/token",
  };
  const [head = "", payload = "", signature = ""] = signedAssertion(pem, { ...claims, scope: "mail" }, 1_500).split(
    ".",
  );
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  expect(read(head)).toEqual({ alg: "RS256", typ: "JWT" });
  expect(read(payload)).toEqual({
    ...{ iss: claims.issuer, sub: claims.mailbox, aud: claims.audience, scope: "mail", iat: 1, exp: 601 },
  });
  const signed = Buffer.from(`${head}.${payload}`);
  expect(verify("sha256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
});
