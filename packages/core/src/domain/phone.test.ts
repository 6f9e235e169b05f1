import { expect, test } from "vitest";
import { phoneDigits, phoneSearchDigits } from "./phone.ts";

test("a phone number is compared by its digits only", () => {
  expect(phoneDigits("+4915112345678")).toBe("4915112345678");
  expect(phoneDigits("１５１")).toBe("151");
  expect(phoneDigits(null)).toBe("");
});

test.each([
  ["+49 (151)", "49151"],
  ["0151/123-45", "015112345"],
  ["151.123", "151123"],
  ["+", null],
  ["", null],
  ["(-)", null],
  ["Vera 2", null],
  ["151x", null],
  ["2@example.com", null],
])("a search of digits and the usual signs between them may be a phone number: %j", (search, digits) => {
  expect(phoneSearchDigits(search)).toBe(digits);
});
