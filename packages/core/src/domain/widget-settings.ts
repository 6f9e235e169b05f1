/** How a widget looks and what it asks, as its owner has set it. Nothing has to be set: the defaults are a complete widget. */

import { isLongerThan, VISIBLE } from "./bounded-text.ts";
import { type BusinessHours, businessHoursProblem } from "./business-hours.ts";
import { because, type GivenReason } from "./reasons.ts";

/** The languages the widget speaks. */
export const widgetLanguages = ["ar", "de", "en", "es", "fr", "hi", "ja", "pt-BR", "ru", "zh-CN"] as const;
export type WidgetLanguage = (typeof widgetLanguages)[number];

export const widgetThemes = ["auto", "light", "dark"] as const;
/** The side of the page: where a line of text ends, or where it starts. So it changes sides on a right-to-left page. */
export const widgetPositions = ["end", "start"] as const;
/** Whether visitors are asked for a field before the first message. */
export const askings = ["no", "optional", "required"] as const;
export type Asking = (typeof askings)[number];

export interface WidgetSettings {
  /** `#rrggbb`. */
  color: string;
  position: (typeof widgetPositions)[number];
  theme: (typeof widgetThemes)[number];
  /** The owner's own texts in some languages; the others have ours. */
  greetings: Partial<Record<WidgetLanguage, { title: string; text: string }>>;
  ask_name: Asking;
  ask_email: Asking;
  /** Whether visitors are asked to rate a resolved conversation. */
  ask_rating: boolean;
  /**
   * Whether visitors are shown published articles before their first message. Off unless chosen: articles may have been written
   * for assistants alone.
   */
  suggest_articles: boolean;
  /** The team's business hours; null: it has none, and visitors see who is online. */
  hours: BusinessHours | null;
  /** Origins of pages that may show the widget; none means every page. */
  sites: string[];
  /**
   * The names of custom data that pages may set of their visitors; like everything from a page, they count as entered by the
   * visitor.
   */
  page_fields: string[];
}

export const defaultWidgetSettings: WidgetSettings = {
  color: "#4f46e5",
  position: "end",
  theme: "auto",
  greetings: {},
  ask_name: "no",
  ask_email: "no",
  ask_rating: true,
  suggest_articles: false,
  hours: null,
  sites: [],
  page_fields: [],
};

const COLOR = /^#[0-9a-f]{6}$/;
const TITLE_MAX = 80;
const TEXT_MAX = 300;
const SITES_MAX = 50;
const PAGE_FIELDS_MAX = 20;
/** As of every custom field (spec, "Limits": tool text). */
const FIELD_NAME_MAX = 100;

/**
 * What of a change cannot be taken: a reason for each field. Empty when all of it can.
 * The shape (which fields there are, and that texts are texts) is the contract's, asked before.
 */
export function widgetSettingsProblems(change: Partial<WidgetSettings>): Record<string, GivenReason> {
  const problems: Record<string, GivenReason> = {};
  const { color, position, theme, ask_name, ask_email, greetings, sites, page_fields } = change;
  if (color !== undefined && !COLOR.test(color)) problems.color = "widget-color";
  requireOne(problems, "position", position, widgetPositions);
  requireOne(problems, "theme", theme, widgetThemes);
  requireOne(problems, "ask_name", ask_name, askings);
  requireOne(problems, "ask_email", ask_email, askings);
  const hoursProblem = change.hours && businessHoursProblem(change.hours);
  if (hoursProblem) problems.hours = hoursProblem;
  for (const [language, greeting] of Object.entries(greetings ?? {})) {
    if (!(widgetLanguages as readonly string[]).includes(language)) {
      problems.greetings = because("widget-language", { language });
    } else if (greeting.title.length > TITLE_MAX || greeting.text.length > TEXT_MAX) {
      problems.greetings = because("widget-greeting", { max_title: TITLE_MAX, max_text: TEXT_MAX });
    }
  }
  if (sites && sites.length > SITES_MAX) problems.sites = because("widget-too-many-sites", { max: SITES_MAX });
  const wrong = sites?.find((site) => !isSite(site));
  if (wrong !== undefined) problems.sites = because("widget-site", { site: wrong });
  if (page_fields && page_fields.length > PAGE_FIELDS_MAX) {
    problems.page_fields = because("widget-too-many-fields", { max: PAGE_FIELDS_MAX });
  } else if (page_fields?.some((name) => !isFieldName(name))) {
    problems.page_fields = because("widget-field-name", { max: FIELD_NAME_MAX });
  }
  return problems;
}

function requireOne(
  problems: Record<string, GivenReason>,
  field: string,
  value: string | undefined,
  choices: readonly string[],
): void {
  if (value !== undefined && !choices.includes(value)) {
    problems[field] = because("widget-choice", { choices: choices.join(", ") });
  }
}

/** An origin, its host with a star in front at most: it is copied into a security policy unchanged. */
function isSite(site: string): boolean {
  return /^https?:\/\/(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/.test(site);
}

/** In the form of custom fields, so that they can be compared directly. */
function isFieldName(name: string): boolean {
  return name === name.trim() && VISIBLE.test(name) && !/\p{Cc}/u.test(name) && !isLongerThan(name, FIELD_NAME_MAX);
}

/** The settings among some values; unknown names are left out, as everywhere. */
export function onlyWidgetSettings(values: object): Partial<WidgetSettings> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(defaultWidgetSettings, name)));
}

/** Whether a page of this origin may show the widget; with no sites, every page may. */
export function isOnSites(sites: readonly string[], origin: string): boolean {
  return sites.length === 0 || sites.some((site) => isSame(site, origin));
}

function isSame(site: string, origin: string): boolean {
  const [scheme = "", below] = site.split("*");
  // `https://*.acme.test` is every host below, and not `https://acme.test`: as browsers read it.
  return below === undefined ? site === origin : origin.startsWith(scheme) && origin.endsWith(below);
}

/** Settings as they were stored, with everything that was not set. */
export function readWidgetSettings(stored: string | null): WidgetSettings {
  return { ...defaultWidgetSettings, ...(stored === null ? {} : (JSON.parse(stored) as Partial<WidgetSettings>)) };
}

/** The available language that fits best what a browser or a page asks for, in the order of preference. */
export function bestWidgetLanguage(asked: readonly string[]): WidgetLanguage {
  for (const wish of asked) {
    const exact = widgetLanguages.find((language) => language.toLowerCase() === wish.toLowerCase());
    const sameTongue = widgetLanguages.find((language) => tongue(language) === tongue(wish));
    const found = exact ?? sameTongue;
    if (found) return found;
  }
  return "en";
}

const tongue = (language: string) => language.toLowerCase().split("-")[0];
