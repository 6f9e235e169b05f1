import { type Expression, type SqlBool, sql } from "kysely";
import { isVisibleConversation, type Visibility } from "../access/visibility-store.ts";
import { statement } from "../storage/statement.ts";
import { type Piece, pieceOfAll } from "./conversation-browse-store.ts";

/** The text to search for, folded as contacts are and as messages are. */
export interface ConversationSearch {
  contact_needle: string;
  message_needle: string;
}

/** A conversation that was searched. */
export interface SearchedRow {
  id: string;
  last_message_at: number;
  /** How many messages it has, system lines included. */
  last_sort_number: number;
  /** 1: the contact's name or e-mail contains the text, or a message that is no system line does. */
  is_found: number;
}

/** Searches a piece of the visible conversations, one after another; returns all of them, in order. */
export const searchedPiece = statement<Piece & ConversationSearch, SearchedRow>((db, param, dialect) =>
  db
    .selectFrom("conversations")
    .innerJoin("contacts", (join) =>
      join
        .onRef("contacts.team_id", "=", "conversations.team_id")
        .onRef("contacts.id", "=", "conversations.contact_id"),
    )
    .select(["conversations.id", "conversations.last_message_at", "conversations.last_sort_number"])
    .select((row) => {
      const inContact = dialect.holds(row.ref("contacts.search_text"), param("contact_needle"));
      const inMessage = row.exists(
        row
          .selectFrom("messages")
          .select("messages.sort_number")
          .whereRef("messages.team_id", "=", "conversations.team_id")
          .whereRef("messages.conversation_id", "=", "conversations.id")
          .where("messages.type", "<>", "system")
          .where((message) => dialect.holds(message.ref("messages.content_folded"), param("message_needle"))),
      );
      return sql<number>`case when ${inContact} or ${inMessage} then 1 else 0 end`.as("is_found");
    })
    .where("conversations.team_id", "=", param("team_id"))
    .where("conversations.id", "in", (row) =>
      row.selectFrom(pieceOfAll(db, param, dialect).as("piece")).select("piece.id"),
    )
    .orderBy("conversations.last_message_at", "desc")
    .orderBy("conversations.id", "desc"),
);

/**
 * By the contacts' index: the visible conversations of contacts whose name or e-mail contains a text, in order. On SQLite those
 * of `most` contacts at most.
 */
export const conversationsOfContactsHolding = statement<
  Visibility & { team_id: string; needle: string; needle_terms: string; match: string; most: number; limit: number },
  { id: string }
>((db, param, dialect) =>
  db
    .selectFrom("conversations")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "in", (row) =>
      row
        .selectFrom("contacts")
        .select("contacts.id")
        .where("contacts.team_id", "=", param("team_id"))
        .where(
          (): Expression<SqlBool> =>
            dialect.contactMatches({
              teamId: param("team_id"),
              id: sql<null>`null`,
              needle: param("needle"),
              digits: sql<null>`null`,
              needleTerms: param("needle_terms"),
              digitsTerms: sql<null>`null`,
              match: param("match"),
              most: param("most"),
            }),
        ),
    )
    .where((row) =>
      isVisibleConversation({ channel: row.ref("channel"), widgetId: row.ref("widget_id") }, param, dialect),
    )
    .orderBy("last_message_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit")),
);
