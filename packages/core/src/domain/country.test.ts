import { expect, test } from "vitest";
import { countryCode, countryEmoji } from "./country.ts";

test.each([
  ["DE", "DE"],
  ["de", "DE"],
  ["Germany", "DE"],
  [" germany ", "DE"],
  ["United States", "US"],
  ["Portugal", "PT"],
])("a country is known by its code or its English name: %j is %s", (country, code) => {
  expect(countryCode(country)).toBe(code);
});

test.each([null, "", "  ", "Atlantis", "QQ", "ZZ", "DD", "EU", "D", "DEU", "code:de", "__proto__", "constructor"])(
  "what is no country of today has no code: %j",
  (country) => {
    expect(countryCode(country)).toBeNull();
  },
);

test("the emoji of a country is its flag", () => {
  expect(countryEmoji("DE")).toBe("🇩🇪");
  expect(countryEmoji("PT")).toBe("🇵🇹");
  expect(countryEmoji(null)).toBeNull();
});
