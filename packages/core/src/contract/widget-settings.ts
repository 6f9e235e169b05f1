/**
 * The settings of a widget as they are read and written over REST: which there are and of what kind. How long and how many they
 * may be is in `domain/widget-settings.ts`, which every surface uses.
 */
import type { TSchema } from "typebox";
import { Type } from "typebox";
import { weekdays } from "../domain/business-hours.ts";
import {
  askings,
  type WidgetSettings as Settings,
  widgetLanguages,
  widgetPositions,
  widgetThemes,
} from "../domain/widget-settings.ts";
import { choice, nullable } from "./fields.ts";

/** Unknown keys inside a setting are refused, since the whole setting is stored. */
const closed = { additionalProperties: false } as const;

const greeting = Type.Object({ title: Type.String(), text: Type.String() }, closed);
const greetings = Type.Unsafe<Settings["greetings"]>(
  Type.Object(allOf(widgetLanguages, greeting), {
    ...closed,
    description: "The greeting in your own words, by language. This replaces all existing greetings.",
  }),
);

const span = Type.Object({ from: Type.String(), to: Type.String() }, closed);
const hours = Type.Unsafe<NonNullable<Settings["hours"]>>(
  Type.Object(
    {
      timezone: Type.String({ description: "An IANA time zone, such as `Europe/Berlin`." }),
      week: Type.Object(allOf(weekdays, Type.Array(span)), {
        ...closed,
        description: "Start and end times, such as `09:00` and `17:30`. Days that are left out are closed.",
      }),
      closed: Type.Array(Type.String(), { description: "Dates, such as `2026-12-25`." }),
    },
    { ...closed, description: "Business hours. Null if there are none." },
  ),
);

const ask = (what: string) =>
  choice(askings, { description: `Whether to ask visitors for ${what} before their first message.` });

export const WidgetSettings = Type.Object({
  color: Type.String({ description: "`#rrggbb`, in lowercase." }),
  position: choice(widgetPositions, {
    description: "The side of the page: right (`end`) or left (`start`), swapped in right-to-left languages.",
  }),
  theme: choice(widgetThemes, { description: "`auto` follows the visitor's system." }),
  greetings,
  ask_name: ask("a name"),
  ask_email: ask("an e-mail"),
  ask_rating: Type.Boolean({
    description: "Whether to ask visitors to rate a resolved conversation.",
  }),
  suggest_articles: Type.Boolean({
    description:
      "Whether to suggest published articles to visitors before their first message. Visitors can then read every published article.",
  }),
  hours: nullable(hours),
  sites: Type.Array(Type.String(), {
    description:
      "Origins of pages that can show the widget, such as `https://www.example.com`. If empty, any page can.",
  }),
  page_fields: Type.Array(Type.String(), {
    description: "Names of custom data that pages can set for their visitors, at most 20.",
  }),
} satisfies Record<keyof Settings, TSchema>);

/** A setting that is left out stays as it is. */
export const WidgetSettingsChange = Type.Partial(WidgetSettings);

/** An object whose keys are these names, all optional. */
function allOf<S extends TSchema>(names: readonly string[], schema: S) {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]));
}
