import type { Channel } from "@frontdesk/core/domain/channel";
import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { ContactRow, ConversationRow, MessageRow } from "../storage/tables.ts";

interface Piece {
  team_id: string;
  before_id: string;
  limit: number;
}

export const contactsToFold = statement<Piece, Pick<ContactRow, "id" | "name" | "email" | "search_text">>((db, param) =>
  db
    .selectFrom("contacts")
    .select(["id", "name", "email", "search_text"])
    .where("team_id", "=", param("team_id"))
    .where("id", "<", param("before_id"))
    .orderBy("id", "desc")
    .limit(param("limit")),
);

export const storeFoldedContact = statement<Pick<ContactRow, "team_id" | "id" | "search_text">>((db, param) =>
  db
    .updateTable("contacts")
    .set({ search_text: param("search_text") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const messagesToFold = statement<
  Piece,
  Pick<MessageRow, "id" | "conversation_id" | "sort_number" | "content" | "content_folded">
>((db, param) =>
  db
    .selectFrom("messages")
    .select(["id", "conversation_id", "sort_number", "content", "content_folded"])
    .where("team_id", "=", param("team_id"))
    .where("id", "<", param("before_id"))
    .orderBy("id", "desc")
    .limit(param("limit")),
);

export const storeFoldedMessage = statement<
  Pick<MessageRow, "team_id" | "conversation_id" | "sort_number" | "content_folded">
>((db, param) =>
  db
    .updateTable("messages")
    .set({ content_folded: param("content_folded") })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", "=", param("sort_number")),
);

/** By the index of the channels that are not the website: of mail alone there are subjects. */
export const subjectsToFold = statement<Piece, Pick<ConversationRow, "id" | "email_subject" | "email_subject_folded">>(
  (db, param) =>
    db
      .selectFrom("conversations")
      .select(["id", "email_subject", "email_subject_folded"])
      .where("team_id", "=", param("team_id"))
      .where("channel", "=", sql.lit("email" satisfies Channel))
      .where("channel", "<>", sql.lit("website" satisfies Channel))
      .where("id", "<", param("before_id"))
      .orderBy("id", "desc")
      .limit(param("limit")),
);

export const storeFoldedSubject = statement<Pick<ConversationRow, "team_id" | "id" | "email_subject_folded">>(
  (db, param) =>
    db
      .updateTable("conversations")
      .set({ email_subject_folded: param("email_subject_folded") })
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);
