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
    description: "The first lines, in your own words, by language. What is sent takes the place of all that is there.",
  }),
);

const span = Type.Object({ from: Type.String(), to: Type.String() }, closed);
const hours = Type.Unsafe<NonNullable<Settings["hours"]>>(
  Type.Object(
    {
      timezone: Type.String({ description: "As in the IANA time zone database, such as `Europe/Berlin`." }),
      week: Type.Object(allOf(weekdays, Type.Array(span)), {
        ...closed,
        description: "From and to, such as `09:00` and `17:30`; a day that is left out is closed.",
      }),
      closed: Type.Array(Type.String(), { description: "Dates, such as `2026-12-25`." }),
    },
    { ...closed, description: "When the team is there; null when it names no hours." },
  ),
);

const ask = (what: string) =>
  choice(askings, { description: `Whether visitors are asked for ${what} before they write.` });

export const WidgetSettings = Type.Object({
  color: Type.String({ description: "`#rrggbb`, in small letters." }),
  position: choice(widgetPositions, {
    description: "The side of the page: where a line of text ends, or where it starts.",
  }),
  theme: choice(widgetThemes, { description: "`auto`: as the visitor's system is." }),
  greetings,
  ask_name: ask("a name"),
  ask_email: ask("an e-mail"),
  ask_rating: Type.Boolean({
    description: "Whether visitors are asked what they thought of a resolved conversation.",
  }),
  hours: nullable(hours),
  sites: Type.Array(Type.String(), {
    description: "Origins of the pages that may show the widget, such as `https://www.example.com`. Empty: any page.",
  }),
  page_fields: Type.Array(Type.String(), {
    description: "Names of the custom data that pages may set of their visitors, at most 20.",
  }),
} satisfies Record<keyof Settings, TSchema>);

/** A setting that is left out stays as it is. */
export const WidgetSettingsChange = Type.Partial(WidgetSettings);

/** An object whose keys are these names, all optional. */
function allOf<S extends TSchema>(names: readonly string[], schema: S) {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]));
}
