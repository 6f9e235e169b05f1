import { channels, channelTraits } from "@frontdesk/core/domain/channel";
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Dialect, listParam } from "../storage/dialect.ts";
import { type Param, statement } from "../storage/statement.ts";
import type { Tables } from "../storage/tables.ts";
import type { Actor } from "./actor.ts";

/** What an actor may see, as parameters of statements: lists made by `listParam`, null for everything. */
export interface Visibility {
  visible_widgets: string | null;
  visible_channels: string | null;
}

/**
 * The rule of `visible.ts` for statements. The statement itself leaves out what may not be seen: rows removed afterwards would
 * still show in a page that is too short, in a total, or in a `has_more` (decision 54).
 */
export function visibilityOf(actor: Actor): Visibility {
  switch (actor.kind) {
    case "assistant":
      return { visible_widgets: granted(actor.widgets), visible_channels: granted(actor.channels) };
    // These actors have no lists; one used by mistake is empty.
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

/** Whether nothing of the team is hidden, so that counts of the whole team are right. */
export function seesEverything({ visible_widgets, visible_channels }: Visibility): boolean {
  return visible_widgets === null && visible_channels === null;
}

/** `maySeeConversation`, of the columns of a conversation. */
export function isVisibleConversation<P extends Visibility>(
  { channel, widgetId }: { channel: Expression<string>; widgetId: Expression<string> },
  param: Param<P>,
  dialect: Dialect,
): RawBuilder<SqlBool> {
  return sql`((${isByWidget(channel)} and ${isGrantedWidget(widgetId, param, dialect)})
    or (not ${isByWidget(channel)} and ${isGrantedChannel(channel, param, dialect)}))`;
}

/**
 * `maySeeContact`, of a row of `contacts`. Conditions that actors who see everything do not need come last, so that they cost
 * them nothing.
 */
export function isVisibleContact<P extends Visibility & { team_id: string }>(
  row: ExpressionBuilder<Tables, "contacts">,
  param: Param<P>,
  dialect: Dialect,
): RawBuilder<SqlBool> {
  const known = row
    .selectFrom("contact_identities")
    .innerJoin("channel_accounts", (join) =>
      join
        .onRef("channel_accounts.team_id", "=", "contact_identities.team_id")
        .onRef("channel_accounts.id", "=", "contact_identities.account_id"),
    )
    .select(sql.lit(1).as("one"))
    .where("contact_identities.team_id", "=", param("team_id"))
    .whereRef("contact_identities.contact_id", "=", "contacts.id")
    .where((account) => isGrantedChannel(account.ref("channel_accounts.channel"), param, dialect));
  return sql`((${isEverything(param("visible_widgets"))} and ${isEverything(param("visible_channels"))})
    or (${isByWidget(row.ref("contacts.channel"))} and ${isGrantedWidget(row.ref("contacts.widget_id"), param, dialect)})
    or ${row.exists(known)})`;
}

/** The channels of the accounts in which a contact is known. */
export const channelsOfContact = statement<{ team_id: string; contact_id: string }, { channel: string }>((db, param) =>
  db
    .selectFrom("contact_identities")
    .innerJoin("channel_accounts", (join) =>
      join
        .onRef("channel_accounts.team_id", "=", "contact_identities.team_id")
        .onRef("channel_accounts.id", "=", "contact_identities.account_id"),
    )
    .select("channel_accounts.channel")
    .distinct()
    .where("contact_identities.team_id", "=", param("team_id"))
    .where("contact_identities.contact_id", "=", param("contact_id")),
);

function isByWidget(channel: Expression<string>): RawBuilder<SqlBool> {
  const byWidget = channels.filter((name) => channelTraits[name].byWidget).map((name) => sql.lit(name));
  return sql`${channel} in (${sql.join(byWidget)})`;
}

function isGrantedWidget<P extends Visibility>(widgetId: Expression<string>, param: Param<P>, dialect: Dialect) {
  const widgets = param("visible_widgets");
  return sql<SqlBool>`(${isEverything(widgets)} or ${dialect.isIn(widgetId, widgets)})`;
}

function isGrantedChannel<P extends Visibility>(channel: Expression<string>, param: Param<P>, dialect: Dialect) {
  const granted = param("visible_channels");
  return sql<SqlBool>`(${isEverything(granted)} or ${dialect.isInTexts(channel, granted)})`;
}

/** The type is given, because PostgreSQL cannot infer it for a parameter that is compared with nothing. */
function isEverything(list: RawBuilder<string | null>): RawBuilder<SqlBool> {
  return sql`cast(${list} as text) is null`;
}
