import { type Expression, type SqlBool, sql } from "kysely";
import { isVisibleConversation, type Visibility } from "../access/visibility-store.ts";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement } from "../storage/statement.ts";
import type { ConversationRow } from "../storage/tables.ts";

/** A position in the order of newest activity first: what follows is older, or as old with a lower id. */
export interface Cursor {
  before: number;
  before_id: string;
}

/** The start of an order that ends at a time, exclusive. */
export const endingBefore = (time: number): Cursor => ({
  before: time,
  before_id: "00000000-0000-0000-0000-000000000000",
});

/** A piece of that order, of the visible conversations. */
export interface Piece extends Cursor, Visibility {
  team_id: string;
  limit: number;
  offset: number;
  /** `offset + limit`: how far each status is read when the two are merged. */
  reach: number;
}

interface PlacedRow {
  id: string;
  last_message_at: number;
}

/** The ids of a piece, in order: of the open conversations, of the resolved ones, and of all in one order. */
export const piecesOf = {
  open: statement<Piece, PlacedRow>((db, param, dialect) => pieceOf(0, db, param, dialect)),
  resolved: statement<Piece, PlacedRow>((db, param, dialect) => pieceOf(1, db, param, dialect)),
  all: statement<Piece, PlacedRow>((db, param, dialect) => pieceOfAll(db, param, dialect)),
};

const shownColumns = [
  "id",
  "contact_id",
  "widget_id",
  "channel",
  "is_resolved",
  "resolved_at",
  "reopened_at",
  "last_message_at",
  "first_page_url",
  "email_subject",
  "created_at",
] as const satisfies (keyof ConversationRow)[];

/** What an assistant's list shows of a conversation. */
export type BrowsedConversationRow = Pick<ConversationRow, (typeof shownColumns)[number]>;

/** The same with the contact. */
export type ConversationWithContactRow = BrowsedConversationRow & {
  contact_name: string | null;
  contact_email: string | null;
};

/** Several conversations, newest activity first. */
export const conversationsInOrder = statement<
  { team_id: string; conversation_ids: string },
  ConversationWithContactRow
>((db, param, dialect) =>
  db
    .selectFrom("conversations")
    .innerJoin("contacts", (join) =>
      join
        .onRef("contacts.team_id", "=", "conversations.team_id")
        .onRef("contacts.id", "=", "conversations.contact_id"),
    )
    .select(shownColumns.map((column) => `conversations.${column}` as const))
    .select(["contacts.name as contact_name", "contacts.email as contact_email"])
    .where("conversations.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("conversations.id"), param("conversation_ids")))
    .orderBy("conversations.last_message_at", "desc")
    .orderBy("conversations.id", "desc"),
);

/**
 * Both statuses in one order. Each is read no further than the piece reaches, since neither engine merges the two by their
 * index otherwise: PostgreSQL 15 reads and sorts every conversation of the team.
 */
export function pieceOfAll<P extends Piece>(db: Dialect["builder"], param: Param<P>, dialect: Dialect) {
  const upToReach = (isResolved: 0 | 1, name: "open" | "resolved") =>
    db
      .selectFrom(inOrder(isResolved, db, param, dialect).limit(param("reach")).as(name))
      .select(["id", "last_message_at"]);
  return db
    .selectFrom(upToReach(0, "open").unionAll(upToReach(1, "resolved")).as("both"))
    .select(["id", "last_message_at"])
    .orderBy("last_message_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset"));
}

function pieceOf<P extends Piece>(isResolved: 0 | 1, db: Dialect["builder"], param: Param<P>, dialect: Dialect) {
  return inOrder(isResolved, db, param, dialect).limit(param("limit")).offset(param("offset"));
}

/** By the index `conversations_in_order` alone, which holds all the columns needed here. */
function inOrder<P extends Piece>(isResolved: 0 | 1, db: Dialect["builder"], param: Param<P>, dialect: Dialect) {
  return db
    .selectFrom("conversations")
    .select(["id", "last_message_at"])
    .where("team_id", "=", param("team_id"))
    .where("is_resolved", "=", sql.lit(isResolved))
    .where(
      (row): Expression<SqlBool> =>
        sql`(${row.ref("last_message_at")}, ${row.ref("id")}) < (${param("before")}, ${param("before_id")})`,
    )
    .where((row) =>
      isVisibleConversation({ channel: row.ref("channel"), widgetId: row.ref("widget_id") }, param, dialect),
    )
    .orderBy("last_message_at", "desc")
    .orderBy("id", "desc");
}
