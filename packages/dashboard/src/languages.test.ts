import { readdirSync, readFileSync } from "node:fs";
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { describe, expect, test } from "vitest";

type Texts = Record<string, string>;

const folder = new URL("languages/", import.meta.url);
/** The folder itself, and the folders of screens with their own texts. */
const places = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [`${entry.name}/`] : [],
);
places.unshift("");
const textsIn = (place: string, language: string): Texts =>
  JSON.parse(readFileSync(new URL(`${place}${language}.json`, folder), "utf8"));
const textsOf = (language: string): Texts => Object.assign({}, ...places.map((place) => textsIn(place, language)));
const english = textsOf("en");
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

/** A plural key ends in a form of its language; the part before is its name. */
const counted = (key: string) => /^(.+)_(zero|one|two|few|many|other)$/.exec(key)?.[1];
const names = (texts: Texts) => [...new Set(Object.keys(texts).map((key) => counted(key) ?? key))].sort();

test("there is a file for every language of the dashboard, and no other", () => {
  for (const place of places) {
    const files = readdirSync(new URL(place, folder)).filter((name) => name.endsWith(".json"));
    expect(files.sort(), place).toEqual(widgetLanguages.map((language) => `${language}.json`).sort());
  }
});

test("no text is in two places", () => {
  const keys = places.flatMap((place) => Object.keys(textsIn(place, "en")));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test("every text is used", () => {
  const sources = readdirSync(new URL(".", import.meta.url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
    .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, "utf8"))
    .join("\n");
  const isUsed = (name: string) =>
    sources.includes(`"${name}"`) ||
    [...sources.matchAll(/`([\w.]+)\$\{/g)].some(([, start]) => name.startsWith(start ?? name));
  expect(names(english).filter((name) => !isUsed(name))).toEqual([]);
});

describe.each(widgetLanguages.filter((language) => language !== "en"))("in %s", (language) => {
  const texts = textsOf(language);

  test("every text is there, with the same places to fill", () => {
    for (const place of places) expect(names(textsIn(place, language)), place).toEqual(names(textsIn(place, "en")));
    for (const [key, text] of Object.entries(texts)) {
      const name = counted(key);
      const model = name ? english[`${name}_other`] : english[key];
      expect(placeholders(text), key).toEqual(placeholders(model ?? ""));
      expect(text.trim(), key).not.toBe("");
    }
  });

  test("there is a text for every way the language counts", () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const name of new Set(Object.keys(texts).flatMap((key) => counted(key) ?? []))) {
      const forms = Object.keys(texts).filter((key) => counted(key) === name);
      expect(forms.sort(), name).toEqual(pluralCategories.map((form) => `${name}_${form}`).sort());
    }
  });
});
