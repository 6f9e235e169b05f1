import type { Channel } from "@frontdesk/core/domain/channel";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Dialect, listParam } from "../storage/dialect.ts";
import type { Param } from "../storage/statement.ts";
import type { Actor } from "./actor.ts";

/** What an actor may see, as statements ask it: lists made by `listParam`, null for everything. */
export interface Visibility {
  visible_widgets: string | null;
  visible_channels: string | null;
}

/**
 * The rule of `visible.ts` for statements. What may not be seen is left out by the statement itself: rows that are taken
 * out afterwards would still show in a page that is too short, in a total, or in a `has_more` (decision 54).
 */
export function visibilityOf(actor: Actor): Visibility {
  switch (actor.kind) {
    case "assistant":
      return { visible_widgets: granted(actor.widgets), visible_channels: granted(actor.channels) };
    // No list is made for them; what would be one by mistake is empty.
    case "visitor":
    case "channel":
      return { visible_widgets: granted([]), visible_channels: granted([]) };
    case "api-key":
    case "agent":
    case "automation":
    case "ai":
    case "system":
      return { visible_widgets: null, visible_channels: null };
    default:
      return actor satisfies never;
  }
}

const granted = (names: "all" | readonly string[]) => (names === "all" ? null : listParam(names));

/** Whether nothing of the team is hidden, so that what is counted of the whole team holds. */
export function seesEverything({ visible_widgets, visible_channels }: Visibility): boolean {
  return visible_widgets === null && visible_channels === null;
}

/** `maySeeConversation`, of the columns of a conversation. */
export function isVisibleConversation<P extends Visibility>(
  { channel, widgetId }: { channel: Expression<string>; widgetId: Expression<string> },
  param: Param<P>,
  dialect: Dialect,
): RawBuilder<SqlBool> {
  const website = sql.lit("website" satisfies Channel);
  const channels = param("visible_channels");
  return sql`((${channel} = ${website} and ${isVisibleContact(widgetId, param, dialect)})
    or (${channel} <> ${website} and (${isEverything(channels)} or ${dialect.isInTexts(channel, channels)})))`;
}

/** `maySeeContact`, of the widget that a contact came by. */
export function isVisibleContact<P extends Visibility>(
  widgetId: Expression<string>,
  param: Param<P>,
  dialect: Dialect,
): RawBuilder<SqlBool> {
  const widgets = param("visible_widgets");
  return sql`(${isEverything(widgets)} or ${dialect.isIn(widgetId, widgets)})`;
}

/** The type is told, because PostgreSQL cannot guess it of a parameter that is compared with nothing. */
function isEverything(list: RawBuilder<string | null>): RawBuilder<SqlBool> {
  return sql`cast(${list} as text) is null`;
}
