import { sentenceOf } from "@frontdesk/core/domain/reasons";
import {
  bestWidgetLanguage,
  readWidgetSettings,
  type WidgetSettings,
  widgetLanguages,
  widgetSettingsProblems,
} from "@frontdesk/core/domain/widget-settings";
import { showWidget } from "../widgets/show-widget.ts";
import { updateWidget } from "../widgets/update-widget.ts";
import { chooseTeamOf } from "./choose-team.ts";
import { defineCommand, teamOfIdOption, UsageError } from "./command.ts";
import { readHours } from "./read-hours.ts";
import { withStorage } from "./with-storage.ts";

const defaults = readWidgetSettings(null);

/** `frontdesk widget update`: changes the given settings of a widget. A repeat sets the same. */
export const widgetUpdate = defineCommand({
  name: "widget update",
  summary: "Changes a widget's appearance, form, hours and allowed websites.",
  options: {
    id: { value: "ID", help: "The widget.", positional: true, required: true },
    team: teamOfIdOption,
    color: { value: "COLOR", help: `The brand color, such as ${defaults.color}.` },
    position: {
      value: "end|start",
      help: "The side of the page: right (end) or left (start), swapped in right-to-left languages.",
    },
    theme: { value: "auto|light|dark", help: "Light, dark, or the visitor's system theme (auto)." },
    "ask-name": { value: "no|optional|required", help: "Whether to ask for a name before the first message." },
    "ask-email": {
      value: "no|optional|required",
      help: "Whether to ask for an email address before the first message.",
    },
    "ask-rating": { value: "on|off", help: "Whether to ask for a rating of a resolved conversation." },
    "suggest-articles": {
      value: "on|off",
      help: "Whether to suggest published articles to visitors before their first message.",
    },
    hours: {
      value: "WEEK|always",
      help: 'Business hours: "mon-fri 09:00-12:00 13:00-17:00, sat 10:00-14:00". `always` removes them.',
    },
    timezone: { value: "ZONE", help: "The time zone of the hours, such as Europe/Berlin." },
    closed: { value: "DATES|none", help: "Holidays, such as 2026-12-25,2026-12-26." },
    sites: { value: "A,B|any", help: "Websites that can show the widget, such as https://www.example.com." },
    "page-fields": { value: "A,B|none", help: "Names of custom data fields that your pages can set." },
    language: { value: "CODE", help: `The language of the greeting: ${widgetLanguages.join(", ")}.` },
    "greeting-title": { value: "TEXT", help: "The first line of the greeting in that language." },
    "greeting-text": { value: "TEXT", help: "The line below the title." },
  },
  async run(values, { settings, print }) {
    const updated = await withStorage(settings, async ({ storage, perform }) => {
      const actor = await chooseTeamOf(storage, "widget", values.id, values.team);
      const before = await perform(actor, showWidget, { widgetId: values.id });
      const change = readChange(values, before.settings);
      const widget = await perform(actor, updateWidget, { widgetId: values.id, change: { settings: change } });
      return readWidgetSettings(widget.settings);
    });
    const lines = Object.entries(updated).map(([name, value]) => `${name.padEnd(11)}  ${JSON.stringify(value)}`);
    print({ json: { id: values.id, settings: updated }, text: lines.join("\n") });
  },
});

/** @throws UsageError naming the option that is not accepted, or saying that none was given */
function readChange(
  values: Record<string, string | undefined>,
  { greetings, hours }: WidgetSettings,
): Partial<WidgetSettings> {
  const { color, position, theme, sites, language } = values;
  const [title, text] = [values["greeting-title"], values["greeting-text"]];
  if ((title ?? text ?? language) !== undefined && !(title && text && language)) {
    throw new UsageError("A greeting needs --language, --greeting-title and --greeting-text.");
  }
  const given = {
    color: color?.toLowerCase(),
    position,
    theme,
    ask_name: values["ask-name"],
    ask_email: values["ask-email"],
    ask_rating: readSwitch("ask-rating", values["ask-rating"]),
    suggest_articles: readSwitch("suggest-articles", values["suggest-articles"]),
    hours: readHours(values, hours),
    sites: readList(sites, "any"),
    page_fields: readList(values["page-fields"], "none"),
    greetings: title && text && language ? { ...greetings, [spelled(language)]: { title, text } } : undefined,
  };
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(change).length === 0)
    throw new UsageError("Nothing to change. Run frontdesk widget update --help to see the options.");
  const [problem] = Object.entries(widgetSettingsProblems(change));
  if (problem) throw new UsageError(`--${problem[0].replace("_", "-")}: ${sentenceOf(problem[1])}`);
  return change;
}

/** Names separated by commas; `empty` means none of them. */
function readList(value: string | undefined, empty: string): string[] | undefined {
  return value === empty ? [] : value?.split(",").map((name) => name.trim());
}

function readSwitch(option: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== "on" && value !== "off") throw new UsageError(`--${option}: must be on or off, not "${value}".`);
  return value === "on";
}

/** `pt-br` is `pt-BR`; a language that the widget does not have is left as typed, and refused. */
function spelled(language: string): string {
  const known = bestWidgetLanguage([language]);
  return known.toLowerCase() === language.toLowerCase() ? known : language;
}
