import { expect, test } from "vitest";
import {
  bestWidgetLanguage,
  defaultWidgetSettings,
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

test("what would not fit is told at its field", () => {
  expect(Object.keys(widgetSettingsProblems({ color: "red", theme: "blue" as "dark" }))).toEqual(["color", "theme"]);
  expect(widgetSettingsProblems({ greetings: { en: { title: "x".repeat(81), text: "" } } })).toHaveProperty(
    "greetings",
  );
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
    expect(problem(site), site).toContain("no origin");
  }
});
