/**
 * The texts of the dashboard, translated. They are in `languages/`, one file per language, all with the same keys; those of a
 * rarely opened screen have their own folder, and are loaded with it.
 */
import { formatLocale } from "@frontdesk/core/domain/format-locale";
import { bestWidgetLanguage, type WidgetLanguage, widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import type ai from "../languages/ai/en.json";
import type assistants from "../languages/assistants/en.json";
import type audit from "../languages/audit/en.json";
import type channels from "../languages/channels/en.json";
import type copilot from "../languages/copilot/en.json";
import type delivery from "../languages/delivery/en.json";
import type en from "../languages/en.json";
import type erasing from "../languages/erasing/en.json";
import type exports from "../languages/export/en.json";
import type mail from "../languages/mail/en.json";
import type privacy from "../languages/privacy/en.json";
import type problems from "../languages/problems/en.json";
import type runs from "../languages/runs/en.json";
import type security from "../languages/security/en.json";
import type setup from "../languages/setup/en.json";
import type sources from "../languages/sources/en.json";
import type spam from "../languages/spam/en.json";
import type sso from "../languages/sso/en.json";
import type webhooks from "../languages/webhooks/en.json";
import type widgetRemoval from "../languages/widget-removal/en.json";
import { readLocal, writeLocal } from "../local-storage.ts";
import { loadPart } from "../service/load-part.ts";
import { reloadPage } from "../service/service-answers.ts";
import { isolated } from "./isolated.ts";

type Key =
  | keyof typeof en
  | keyof typeof ai
  | keyof typeof assistants
  | keyof typeof audit
  | keyof typeof channels
  | keyof typeof copilot
  | keyof typeof delivery
  | keyof typeof erasing
  | keyof typeof privacy
  | keyof typeof exports
  | keyof typeof mail
  | keyof typeof problems
  | keyof typeof runs
  | keyof typeof security
  | keyof typeof setup
  | keyof typeof sources
  | keyof typeof spam
  | keyof typeof sso
  | keyof typeof webhooks
  | keyof typeof widgetRemoval;
/** A text with a count has one key per plural form of the language: `_one`, `_other` and so on. */
export type TextKey = Key extends infer K ? (K extends `${infer Name}_${"one" | "other"}` ? Name : K) : never;

/** The same as the widget's. */
export const languages = widgetLanguages;
export type Language = WidgetLanguage;

const files = import.meta.glob<{ default: Record<string, string> }>("../languages/*.json");

export const language: Language = bestWidgetLanguage([readLocal<string>("language") ?? "", ...navigator.languages]);
/** In which dates, times, numbers and lists are written: the language, as the agent's region writes it. */
export const locale = formatLocale(language, navigator.languages);
export const direction: "ltr" | "rtl" = language === "ar" ? "rtl" : "ltr";

const plural = lazily(() => new Intl.PluralRules(language));
const number = lazily(() => new Intl.NumberFormat(locale));
let texts: Record<string, string> = {};

/** Await it before anything is rendered. */
export async function loadTexts(): Promise<void> {
  const file = files[`../languages/${language}.json`];
  if (file) texts = (await loadPart(file)).default;
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
}

/** Formatters are slow to create: each is created on first use. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Adds a screen's texts, from `texts-of-screens.ts`. */
export function addTexts(more: Record<string, string>): void {
  texts = { ...texts, ...more };
}

/** A text with its placeholders filled; `count` also selects the plural form. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const { count } = values;
  const form = typeof count === "number" ? texts[`${key}_${plural().select(count)}`] : undefined;
  return (form ?? texts[key] ?? key).replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name] ?? place;
    return typeof value === "number" ? number().format(value) : isolated(value, direction);
  });
}

/** Reloads the page in the other language: rare, and so no screen has to handle the change. */
export function setLanguage(next: Language): void {
  writeLocal("language", next);
  void reloadPage();
}

/** The language's name in that language. */
export function nameOfLanguage(of: Language): string {
  return new Intl.DisplayNames([of], { type: "language" }).of(of) ?? of;
}

const languageNames = lazily(() => new Intl.DisplayNames([language], { type: "language" }));

/** A visitor's language in that of the agent: "English" for `en`. What is no language code is shown as it is. */
export function languageName(code: string): string {
  try {
    return languageNames().of(code) ?? code;
  } catch {
    return code;
  }
}
