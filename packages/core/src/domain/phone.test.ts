import { expect, test } from "vitest";
import { phoneDigits, phoneSearchDigits } from "./phone.ts";

test("a phone number is compared by its digits only", () => {
  expect(phoneDigits("+4915112345678")).toBe("4915112345678");
  expect(phoneDigits("１５１")).toBe("151");
  expect(phoneDigits(null)).toBe("");
});

test.each([
  ["+49 (151)", "49151"],
  ["0151/123", "0151123"],
  ["0151/123-45", "15112345"],
  ["+44 20 7946 0106", "79460106"],
  ["0044 (0)20–7946.0106", "79460106"],
  ["\u202a+٤٤ ٢٠ ٧٩٤٦\u202c", "44207946"],
  ["０２０", "020"],
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
