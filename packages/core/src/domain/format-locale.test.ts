import { expect, test } from "vitest";
import { formatLocale } from "./format-locale.ts";

test.each([
  ["en", ["en-GB", "en-US", "en"], "en-GB"],
  ["en", ["de-DE", "en-AU"], "en-AU"],
  ["de", ["de-AT"], "de-AT"],
  ["pt-BR", ["pt-PT", "pt", "en"], "pt-PT"],
  ["es", ["es-419"], "es-419"],
  ["zh-CN", ["zh-SG"], "zh-SG"],
  ["ar", ["ar-EG"], "ar-EG"],
])("texts in %s for a reader of %j are formatted as in %s", (language, preferred, locale) => {
  expect(formatLocale(language, preferred)).toBe(locale);
});

test.each([
  ["another language", "en", ["de-DE", "fr"]],
  ["no region", "en", ["en"]],
  ["another script of Chinese", "zh-CN", ["zh-TW", "zh-HK", "zh-Hant-MO"]],
  ["Hindi in Latin letters", "hi", ["hi-Latn-IN"]],
  ["nothing", "ja", []],
])("a reader with %s gets the format of the texts", (_name, language, preferred) => {
  expect(formatLocale(language, preferred)).toBe(language);
});

test("the first of the reader's locales that fits decides, and one without a region is passed over", () => {
  expect(formatLocale("en", ["en", "en-IE", "en-US"])).toBe("en-IE");
  expect(formatLocale("zh-CN", ["zh-TW", "zh-Hans-SG"])).toBe("zh-Hans-SG");
});

test("what is no locale is passed over, and extensions are left out", () => {
  expect(formatLocale("en", ["*", "", "</script>", "e", "en_GB", "en-NZ"])).toBe("en-NZ");
  expect(formatLocale("en", ["en-GB-u-ca-buddhist-nu-thai"])).toBe("en-GB");
});

test("en-GB writes 19:54 and the day before the month", () => {
  const format = new Intl.DateTimeFormat(formatLocale("en", ["en-GB"]), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  expect(format.format(Date.UTC(2026, 10, 22, 19, 54))).toBe("22 Nov 2026, 19:54");
});
