import { expect, test } from "vitest";
import {
  bestWidgetLanguage,
  defaultWidgetSettings,
  isOnSites,
  readWidgetSettings,
  widgetSettingsProblems,
} from "./widget-settings.ts";

test("a widget of which nothing was set has every setting", () => {
  expect(readWidgetSettings(null)).toEqual(defaultWidgetSettings);
  expect(readWidgetSettings('{"color":"#facc15"}')).toEqual({ ...defaultWidgetSettings, color: "#facc15" });
  expect(widgetSettingsProblems(defaultWidgetSettings)).toEqual({});
});

test("the language is the first one asked for that the widget speaks, whatever its country", () => {
  expect(bestWidgetLanguage(["nl", "de-AT", "en"])).toBe("de");
  expect(bestWidgetLanguage(["pt"])).toBe("pt-BR");
  expect(bestWidgetLanguage(["zh-hant-TW"])).toBe("zh-CN");
  expect(bestWidgetLanguage(["pt-br"])).toBe("pt-BR");
  expect(bestWidgetLanguage([])).toBe("en");
  expect(bestWidgetLanguage(["nl"])).toBe("en");
});

test("a value that does not fit is reported at its field", () => {
  expect(Object.keys(widgetSettingsProblems({ color: "red", theme: "blue" as "dark" }))).toEqual(["color", "theme"]);
  expect(widgetSettingsProblems({ greetings: { en: { title: "x".repeat(81), text: "" } } })).toHaveProperty(
    "greetings",
  );
  const hours = { timezone: "Europe/Bonn", week: {}, closed: [] };
  expect(widgetSettingsProblems({ hours }).hours).toMatchObject({ name: "hours-timezone" });
  expect(widgetSettingsProblems({ hours: { ...hours, timezone: "Europe/Berlin" } })).toEqual({});
  expect(widgetSettingsProblems({ hours: null })).toEqual({});
});

test("a page is on the sites when its origin is one of them, or below one with a star; without sites every page is", () => {
  const sites = ["https://www.acme.test", "https://*.shop.test"];
  for (const origin of ["https://www.acme.test", "https://a.shop.test", "https://a.b.shop.test"]) {
    expect(isOnSites(sites, origin), origin).toBe(true);
    expect(isOnSites([], origin)).toBe(true);
  }
  for (const origin of [
    "https://acme.test",
    "http://www.acme.test",
    "https://www.acme.test:8443",
    "https://shop.test",
    "https://evilshop.test",
    "https://www.acme.test.evil.test",
  ]) {
    expect(isOnSites(sites, origin), origin).toBe(false);
  }
});

test("a site is an origin and nothing that could say more in a security policy", () => {
  const problem = (site: string) => widgetSettingsProblems({ sites: [site] }).sites;
  for (const site of ["https://www.acme.test", "http://localhost:3000", "https://*.acme.test"]) {
    expect(problem(site), site).toBeUndefined();
  }
  for (const site of [
    "acme.test",
    "https://acme.test/shop",
    "https://acme.test; script-src *",
    "https://acme.test 'self'",
    "https://*",
    "*",
    "javascript:alert(1)",
  ]) {
    expect(problem(site), site).toEqual({ name: "widget-site", values: { site } });
  }
});

test("pages may set fields by the names that custom fields have, at most 20", () => {
  const problem = (...names: string[]) => widgetSettingsProblems({ page_fields: names }).page_fields;
  expect(problem("plan", "cart value", "x".repeat(100), "🙂".repeat(100))).toBeUndefined();
  for (const name of ["", " ", " plan", "plan ", "two\nlines", "\u200b", "x".repeat(101)]) {
    expect(problem(name), JSON.stringify(name)).toMatchObject({ name: "widget-field-name" });
  }
  expect(problem(...Array.from({ length: 21 }, (_, n) => `field ${n}`))).toEqual({
    name: "widget-too-many-fields",
    values: { max: 20 },
  });
});
