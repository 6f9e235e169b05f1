import fc from "fast-check";
import { expect, test } from "vitest";
import {
  distinctAddresses,
  foldAddress,
  isOwnAddress,
  readAddress,
  readDomain,
  taggedAddress,
  untaggedForms,
} from "./mail-address.ts";

test.each([
  ["Vera@Example.COM", "Vera@example.com"],
  [" vera@example.com ", "vera@example.com"],
  ["vera@example.com.", "vera@example.com"],
  ["o'hara+shop@mail.example.org", "o'hara+shop@mail.example.org"],
  ["vera@Bücher.example", "vera@xn--bcher-kva.example"],
  ["vera@例え.jp", "vera@xn--r8jz45g.jp"],
  ["vera@BÜCHER。example", "vera@xn--bcher-kva.example"],
])("the address %j is stored as %j", (text, address) => {
  expect(readAddress(text)).toBe(address);
});

test.each([
  "",
  "vera",
  "@example.com",
  "vera@",
  "vera@localhost",
  '"ve ra"@example.com',
  "ve ra@example.com",
  "vera@example.com\r\nBcc: mallory@example.net",
  "vera@[192.0.2.1]",
  "<vera@example.com>",
  "mallory@example.net,vera@example.com",
  "mallory@example.net@example.com",
  "vera@bücher.example/path",
  "vera@bücher.example:25",
  "vera@bücher .example",
  "vérà@example.com",
  "vera@exa\u0000mple.com",
  `${"v".repeat(65)}@example.com`,
  `vera@${"a".repeat(64)}.example`,
  `vera@${"ü".repeat(2_000)}.example`,
])("%j is no address", (text) => {
  expect(readAddress(text)).toBeUndefined();
});

test("a local part has up to 64 characters and a label up to 63", () => {
  const longest = `${"v".repeat(64)}@${"a".repeat(63)}.example`;
  expect(readAddress(longest)).toBe(longest);
});

test("reading a stored address changes nothing, and no text makes it throw", () => {
  const text = fc.string({
    unit: fc.constantFrom(...'vV0.+-_@<>[]:;, "\\%/?#üÜ例。ß\u200d\u0000\ud800\r\n'),
    maxLength: 80,
  });
  const addresses = fc.oneof(
    fc.emailAddress(),
    text,
    fc.tuple(fc.string(), text).map(([local, domain]) => `${local}@${domain}.example`),
  );
  fc.assert(
    fc.property(addresses, (text) => {
      const address = readAddress(text);
      if (address !== undefined) expect(readAddress(address)).toBe(address);
    }),
  );
});

test("a domain is one in lower case and ASCII", () => {
  expect(["MX.Example.com", "Bücher.example", "a b.example", "", "localhost"].map(readDomain)).toEqual([
    "mx.example.com",
    "xn--bcher-kva.example",
    undefined,
    undefined,
    undefined,
  ]);
});

test("addresses are compared without letter case", () => {
  expect(foldAddress("Vera@example.com")).toBe(foldAddress("VERA@EXAMPLE.com"));
});

test("an address gets a tag, unless it would be too long", () => {
  expect(taggedAddress("support@example.com", "r.abc")).toBe("support+r.abc@example.com");
  expect(taggedAddress(`${"s".repeat(60)}@example.com`, "r.abc")).toBeUndefined();
});

test.each([
  ["support@acme.example", true],
  ["Support@ACME.example", true],
  ["support+r.abc@acme.example", true],
  ["SUPPORT+anything@acme.example", true],
  ["acme+desk@mail.example", true],
  ["acme+desk+r.abc@mail.example", true],
  // The mailbox is `acme+desk`; plain `acme` may be anyone.
  ["acme@mail.example", false],
  ["acme+other@mail.example", false],
  ["support@other.example", false],
  ["support@sub.acme.example", false],
  ["supporters@acme.example", false],
  ["support+x@evil.example", false],
  ["", false],
])("%s is an own address: %s", (address, isOwn) => {
  expect(isOwnAddress(address, ["support@acme.example", "Acme+desk@mail.example"])).toBe(isOwn);
});

test("an own address with any tag is an own address", () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.stringMatching(/^[a-z0-9.]{1,10}$/), (address, tag) => {
      const tagged = taggedAddress(address, tag);
      fc.pre(tagged !== undefined);
      expect(isOwnAddress(tagged as string, [address])).toBe(true);
    }),
  );
});

test.each([
  ["support@acme.example", ["support@acme.example"]],
  ["acme+desk+r.abc@mail.example", ["acme+desk+r.abc@mail.example", "acme+desk@mail.example", "acme@mail.example"]],
  ["+tag@acme.example", ["+tag@acme.example"]],
  ["a++b@acme.example", ["a++b@acme.example", "a+@acme.example", "a@acme.example"]],
])("%s may be a form of %j", (address, forms) => {
  expect(untaggedForms(address)).toEqual(forms);
});

test("an address is an own address of each address that it may be a form of, and of no other", () => {
  const local = fc.stringMatching(/^[ab][ab+]{0,8}$/);
  fc.assert(
    fc.property(local, local, (one, other) => {
      const [address, own] = [`${one}@acme.example`, `${other}@acme.example`];
      expect(isOwnAddress(address, [own])).toBe(untaggedForms(address).includes(own));
    }),
  );
});

test("of addresses that are the same, the first stays; what is no address is left out", () => {
  expect(
    distinctAddresses([
      { name: "Vera", address: "vera@Example.com" },
      { name: null, address: "VERA@example.com" },
      { name: "List", address: "undisclosed-recipients:;" },
    ]),
  ).toEqual([{ name: "Vera", address: "vera@example.com" }]);
});
