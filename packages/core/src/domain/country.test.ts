import { expect, test } from "vitest";
import { countryCode, countryEmoji, countryName, countryOfTimeZone } from "./country.ts";

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

test.each([
  ["Europe/London", "GB"],
  ["Europe/Berlin", "DE"],
  ["Europe/Vienna", "AT"],
  ["America/New_York", "US"],
  ["America/Argentina/Buenos_Aires", "AR"],
  ["America/Puerto_Rico", "PR"],
  ["Asia/Kolkata", "IN"],
  ["Asia/Calcutta", "IN"],
  ["Asia/Ho_Chi_Minh", "VN"],
  ["Europe/Kyiv", "UA"],
  ["Asia/Hong_Kong", "HK"],
  ["US/Pacific", "US"],
])("the country of the time zone %s is %s, by its old names and its new ones", (timezone, code) => {
  expect(countryOfTimeZone(timezone)).toBe(code);
});

test("every time zone that browsers name by a place has one country, and its name leads back to the code", () => {
  for (const timezone of Intl.supportedValuesOf("timeZone")) {
    const code = countryOfTimeZone(timezone);
    expect(code, timezone).toMatch(/^[A-Z]{2}$/);
    expect(countryCode(countryName(code ?? "")), timezone).toBe(code);
  }
});

test.each([
  null,
  "",
  "UTC",
  "Etc/GMT+3",
  "+02:00",
  "Europe/Bonn",
  "Mars",
  "x".repeat(255),
  "__proto__",
  "Europe/Berlin; x",
])("a zone of no country leads to none: %j", (timezone) => {
  expect(countryOfTimeZone(timezone)).toBeNull();
});
