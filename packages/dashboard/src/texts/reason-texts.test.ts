import { readFileSync } from "node:fs";
import { type ReasonName, reasonText } from "@frontdesk/core/domain/reasons";
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { describe, expect, test } from "vitest";
import { reasonTexts, textOfReason } from "./reason-texts.ts";
import { addTexts } from "./texts.ts";

const textsIn = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../languages/problems/${language}.json`, import.meta.url), "utf8"));
const placeholdersIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
const entries = Object.entries(reasonTexts) as [ReasonName, string][];

describe.each(widgetLanguages)("in %s", (language) => {
  const texts = textsIn(language);

  test("every reason that the dashboard can meet has its text, with no place that the reason does not fill", () => {
    expect(entries.length).toBeGreaterThan(80);
    for (const [reason, key] of entries) {
      expect(texts[key]?.trim(), `${reason} → ${key}`).toBeTruthy();
      const filled = placeholdersIn(reasonText[reason]);
      expect(
        placeholdersIn(texts[key] as string).filter((place) => !filled.includes(place)),
        reason,
      ).toEqual([]);
    }
  });
});

test("no text is left over", () => {
  const used = new Set(Object.values<string>(reasonTexts));
  expect(Object.keys(textsIn("en")).filter((key) => !used.has(key))).toEqual([]);
});

test("a reason is said with its values, and one that is not known is not said", () => {
  addTexts(textsIn("de"));
  expect(textOfReason("too-long", { max: 40 })).toBe("Verwende höchstens 40 Zeichen.");
  expect(textOfReason("role", undefined)).toBe("Deine Rolle erlaubt das nicht.");
  expect(textOfReason("obstacle.blocked", undefined)).toBeUndefined();
  expect(textOfReason("constructor", undefined)).toBeUndefined();
});
