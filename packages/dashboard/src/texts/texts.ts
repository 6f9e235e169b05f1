/**
 * What people read, in their language. The texts are in `languages/`, one file a language, all with the same keys; those of
 * a screen that few open stand in a folder of its own, and come with it.
 */
import { bestWidgetLanguage, type WidgetLanguage, widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import type assistants from "../languages/assistants/en.json";
import type audit from "../languages/audit/en.json";
import type en from "../languages/en.json";
import type problems from "../languages/problems/en.json";
import { readLocal, writeLocal } from "../local-storage.ts";

type Key = keyof typeof en | keyof typeof assistants | keyof typeof audit | keyof typeof problems;
/** Of a text that counts there is one for every way the language counts: `_one`, `_other` and so on. */
export type TextKey = Key extends infer K ? (K extends `${infer Name}_${"one" | "other"}` ? Name : K) : never;

/** The same as the widget's. */
export const languages = widgetLanguages;
export type Language = WidgetLanguage;

const files = import.meta.glob<{ default: Record<string, string> }>("../languages/*.json");

export const language: Language = bestWidgetLanguage([readLocal<string>("language") ?? "", ...navigator.languages]);
export const direction: "ltr" | "rtl" = language === "ar" ? "rtl" : "ltr";

const plural = onceAsked(() => new Intl.PluralRules(language));
const number = onceAsked(() => new Intl.NumberFormat(language));
let texts: Record<string, string> = {};

/** To be awaited before anything is drawn. */
export async function loadTexts(): Promise<void> {
  texts = (await files[`../languages/${language}.json`]?.())?.default ?? {};
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
}

/** Formatters are slow to make: each is made when it is first used. */
export function onceAsked<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Those of a screen, from `texts-of-screens.ts`. */
export function addTexts(more: Record<string, string>): void {
  texts = { ...texts, ...more };
}

/** A text, with its places filled; `count` chooses the form, too. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const { count } = values;
  const form = typeof count === "number" ? texts[`${key}_${plural().select(count)}`] : undefined;
  return (form ?? texts[key] ?? key).replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name] ?? place;
    return typeof value === "number" ? number().format(value) : value;
  });
}

/** The page starts again in the other language: it is done once, and no screen has to be ready for it. */
export function setLanguage(next: Language): void {
  writeLocal("language", next);
  location.reload();
}

/** A language in its own words. */
export function nameOfLanguage(of: Language): string {
  return new Intl.DisplayNames([of], { type: "language" }).of(of) ?? of;
}
