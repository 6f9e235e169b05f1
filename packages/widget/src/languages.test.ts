import { readdirSync, readFileSync } from "node:fs";
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { describe, expect, test } from "vitest";

type Texts = Record<string, string> & { unread: Record<string, string> };

const folder = new URL("languages/", import.meta.url);
const textsOf = (language: string): Texts => JSON.parse(readFileSync(new URL(`${language}.json`, folder), "utf8"));
const english = textsOf("en");
const keys = Object.keys(english);
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

/** Texts that are the same in another language on purpose: loanwords, and "AI". */
const SAME_ON_PURPOSE = new Set(["chat", "aiLabel"]);

/** French for the same. */
const LOANWORDS = new Set<unknown>(["Sources"]);

test("there is a file for every language that the widget speaks, and no other", () => {
  for (const place of [folder, new URL("articles/", folder), new URL("ai/", folder)]) {
    const files = readdirSync(place).filter((name) => name.endsWith(".json"));
    expect(files.map((name) => name.replace(".json", "")).sort()).toEqual([...widgetLanguages].sort());
  }
});

describe.each(widgetLanguages.filter((language) => language !== "en"))("in %s", (language) => {
  const texts = textsOf(language);

  test("every text is there, in the same order, with the same places to fill", () => {
    expect(Object.keys(texts)).toEqual(keys);
    for (const key of keys) {
      if (key !== "unread")
        expect(placeholders(texts[key] as string), key).toEqual(placeholders(english[key] as string));
    }
  });

  test("no text is left in English", () => {
    for (const key of keys) {
      if (key !== "unread" && !SAME_ON_PURPOSE.has(key)) expect(texts[key], key).not.toBe(english[key]);
    }
    for (const text of Object.values(texts.unread)) expect(Object.values(english.unread)).not.toContain(text);
  });

  test.each(["articles", "ai"])("the texts about %s are all there, and none is left in English", (about) => {
    const [own, theirs] = [language, "en"].map((name) => textsOf(`${about}/${name}`));
    expect(Object.keys(own ?? {})).toEqual(Object.keys(theirs ?? {}));
    for (const [key, text] of Object.entries(own ?? {})) {
      if (!LOANWORDS.has(text)) expect(text, key).not.toBe(theirs?.[key]);
      expect(placeholders(text as string), key).toEqual(placeholders(theirs?.[key] as string));
    }
  });

  test("each of the five faces has a name of its own", () => {
    const names = (texts.ratings ?? "").split("|");
    expect(new Set(names).size).toBe(5);
    expect(names).not.toContain("");
  });

  test("there is a text for every way the language counts", () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    expect(Object.keys(texts.unread).sort()).toEqual([...pluralCategories].sort());
  });
});
