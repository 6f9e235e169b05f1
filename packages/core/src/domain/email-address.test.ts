import { expect, test } from "vitest";
import { EMAIL_MAX, isEmailAddress } from "./email-address.ts";

test.each([
  "vera@example.com",
  "V.Era+shop@mail.example.co.uk",
  "o'hara@example.com",
  "a@b.c",
  "vera@xn--bcher-kva.example",
])("%s is an email address", (address) => {
  expect(isEmailAddress(address)).toBe(true);
});

test.each([
  ["", "vera", "vera@", "@example.com", "vera@localhost", "vera@@example.com", "vera@example..com"],
  ["vera.@example.com", ".vera@example.com", "ve..ra@example.com", '"ve ra"@example.com', "vera@[192.0.2.1]"],
  [
    "vera@-example.com",
    "vera@example-.com",
    "vera@bücher.example",
    "vérà@example.com",
    "vera@example.com\n",
    " vera@a.b",
  ],
])("%j and the like are not", (...texts) => {
  expect(texts.filter(isEmailAddress)).toEqual([]);
});

test("an email address has at most 254 characters", () => {
  const domain = `${"a".repeat(60)}.${"b".repeat(60)}.example`;
  const longest = `${"v".repeat(EMAIL_MAX - domain.length - 1)}@${domain}`;
  expect([longest, `v${longest}`].map(isEmailAddress)).toEqual([true, false]);
});
