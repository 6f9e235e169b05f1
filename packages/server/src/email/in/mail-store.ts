import { sql } from "kysely";
import type { FileState } from "../../files/file.ts";
import { statement, wholeRow } from "../../storage/statement.ts";
import type { FileRow, MailRow, MailTokenRow } from "../../storage/tables.ts";

export const insertMail = statement<MailRow>((db, param) => db.insertInto("mails").values(wholeRow(param, "mails")));

export const insertMailToken = statement<MailTokenRow>((db, param) =>
  db.insertInto("mail_tokens").values(wholeRow(param, "mail_tokens")),
);

/** The mail that is a message. */
export const mailOfMessage = statement<Pick<MailRow, "team_id" | "message_id">, MailRow>((db, param) =>
  db
    .selectFrom("mails")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("message_id", "=", param("message_id")),
);

/** The file with the whole mail that is a message, once it is complete. */
export const originalOfMessage = statement<Pick<MailRow, "team_id" | "message_id">, Pick<FileRow, "id" | "size">>(
  (db, param) =>
    db
      .selectFrom("mails")
      .innerJoin("files", (join) =>
        join.onRef("files.team_id", "=", "mails.team_id").onRef("files.id", "=", "mails.raw_file"),
      )
      .select(["files.id", "files.size"])
      .where("mails.team_id", "=", param("team_id"))
      .where("mails.message_id", "=", param("message_id"))
      .where("files.state", "=", sql.lit("stored" satisfies FileState)),
);

/** The mails that are some of these messages. `message_ids` is made by `listParam`. */
export const mailsOfMessages = statement<{ team_id: string; message_ids: string }, MailRow>((db, param, dialect) =>
  db
    .selectFrom("mails")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

/** A mail that the team has sent itself, from whatever account. */
export const sentMail = statement<{ team_id: string; header_id: string }, Pick<MailRow, "message_id">>((db, param) =>
  db
    .selectFrom("mails")
    .select("message_id")
    .where("team_id", "=", param("team_id"))
    .where("header_id", "=", param("header_id"))
    .where("direction", "=", sql.lit("out"))
    .limit(sql.lit(1)),
);

/** The conversations of mails with this Message-ID in an account, that of the newest first. */
export const conversationOfHeaderId = statement<
  { team_id: string; account_id: string; header_id: string },
  Pick<MailRow, "conversation_id">
>((db, param) =>
  db
    .selectFrom("mails")
    .select("conversation_id")
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("header_id", "=", param("header_id"))
    .orderBy("sent_at", "desc")
    .orderBy("message_id", "desc")
    .limit(sql.lit(1)),
);

export const conversationOfToken = statement<
  Pick<MailTokenRow, "team_id" | "token_hash">,
  Pick<MailTokenRow, "conversation_id" | "address">
>((db, param) =>
  db
    .selectFrom("mail_tokens")
    .select(["conversation_id", "address"])
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

/** Who wrote to whom in a conversation, the first mails first, at most `limit`. */
export const peopleOfMails = statement<
  { team_id: string; conversation_id: string; limit: number },
  Pick<MailRow, "direction" | "sender" | "recipients">
>((db, param) =>
  db
    .selectFrom("mails")
    .select(["direction", "sender", "recipients"])
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .orderBy("sent_at")
    .orderBy("message_id")
    .limit(param("limit")),
);

/** The last mail that came in from a person of the conversation. */
export const lastMailOfPeople = statement<
  Pick<MailRow, "team_id" | "conversation_id">,
  Pick<MailRow, "header_id" | "sent_at">
>((db, param) =>
  db
    .selectFrom("mails")
    .innerJoin("messages", (join) =>
      join.onRef("messages.team_id", "=", "mails.team_id").onRef("messages.id", "=", "mails.message_id"),
    )
    .select(["mails.header_id", "mails.sent_at"])
    .where("mails.team_id", "=", param("team_id"))
    .where("mails.conversation_id", "=", param("conversation_id"))
    .where("mails.direction", "=", sql.lit("in"))
    .where("messages.type", "=", sql.lit("message"))
    .orderBy("messages.sort_number", "desc")
    .limit(sql.lit(1)),
);

/** The addresses by which a contact is known in an account. */
export const addressesOfContact = statement<
  { team_id: string; account_id: string; contact_id: string },
  { value: string }
>((db, param) =>
  db
    .selectFrom("contact_identities")
    .select("value")
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("account_id", "=", param("account_id"))
    .where("kind", "=", sql.lit("email")),
);
