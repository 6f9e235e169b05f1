import { sql } from "kysely";
import { every, statement, wholeRow } from "../../storage/statement.ts";
import type { MailRecipientRow, MailRow, MailSuppressionRow } from "../../storage/tables.ts";

type OfMessage = Pick<MailRecipientRow, "team_id" | "message_id">;

export const insertMailRecipient = statement<MailRecipientRow>((db, param) =>
  db.insertInto("mail_recipients").values(wholeRow(param, "mail_recipients")),
);

/** The recipients of some messages, always in the same order. `message_ids` is made by `listParam`. */
export const recipientsOfMessages = statement<{ team_id: string; message_ids: string }, MailRecipientRow>(
  (db, param, dialect) =>
    db
      .selectFrom("mail_recipients")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids")))
      .orderBy("message_id")
      .orderBy("address"),
);

/** States only rise: changes nothing of a recipient that the mail has reached, or failed to. */
export const changeMailRecipient = statement<MailRecipientRow>((db, param) =>
  db
    .updateTable("mail_recipients")
    .set(every(param, ["state", "reason", "reason_named", "changed_at"]))
    .where("team_id", "=", param("team_id"))
    .where("message_id", "=", param("message_id"))
    .where("address", "=", param("address"))
    .where("state", "in", [sql.lit("waiting"), sql.lit("unknown")]),
);

/** Before the mail is sent once more: those that it is known to have reached do not get it again. */
export const resetMailRecipients = statement<OfMessage & { changed_at: number }>((db, param) =>
  db
    .updateTable("mail_recipients")
    .set({ state: sql.lit("waiting"), reason: null, reason_named: null, changed_at: param("changed_at") })
    .where("team_id", "=", param("team_id"))
    .where("message_id", "=", param("message_id"))
    .where("state", "in", [sql.lit("failed"), sql.lit("unknown")]),
);

/** The whole mail, as it is sent in every attempt; changes nothing when it is there already. */
export const keepRawMail = statement<OfMessage & { raw_file: string }>((db, param) =>
  db
    .updateTable("mails")
    .set({ raw_file: param("raw_file") })
    .where("team_id", "=", param("team_id"))
    .where("message_id", "=", param("message_id"))
    .where("raw_file", "is", null),
);

export type AnsweredMailRow = Pick<
  MailRow,
  "message_id" | "direction" | "header_id" | "subject" | "sender" | "recipients" | "reference_ids"
>;

/** The mails of a conversation that people wrote, the newest first, at most `limit`. */
export const mailsOfPeople = statement<{ team_id: string; conversation_id: string; limit: number }, AnsweredMailRow>(
  (db, param) =>
    db
      .selectFrom("mails")
      .innerJoin("messages", (join) =>
        join.onRef("messages.team_id", "=", "mails.team_id").onRef("messages.id", "=", "mails.message_id"),
      )
      .select([
        "mails.message_id",
        "mails.direction",
        "mails.header_id",
        "mails.subject",
        "mails.sender",
        "mails.recipients",
        "mails.reference_ids",
      ])
      .where("mails.team_id", "=", param("team_id"))
      .where("mails.conversation_id", "=", param("conversation_id"))
      .where("messages.type", "=", sql.lit("message"))
      .orderBy("messages.sort_number", "desc")
      .limit(param("limit")),
);

/** The mail of a conversation with this Message-ID, with its text. */
export const quotedMail = statement<
  { team_id: string; conversation_id: string; header_id: string },
  { sender: string | null; sent_at: number; content: string | null }
>((db, param) =>
  db
    .selectFrom("mails")
    .innerJoin("messages", (join) =>
      join.onRef("messages.team_id", "=", "mails.team_id").onRef("messages.id", "=", "mails.message_id"),
    )
    .select(["mails.sender", "mails.sent_at", "messages.content"])
    .where("mails.team_id", "=", param("team_id"))
    .where("mails.conversation_id", "=", param("conversation_id"))
    .where("mails.header_id", "=", param("header_id"))
    .orderBy("mails.message_id")
    .limit(sql.lit(1)),
);

type OfAccount = Pick<MailSuppressionRow, "team_id" | "account_id">;

/** Which of these folded addresses are suppressed. `addresses` is made by `listParam`. */
export const suppressedAmong = statement<OfAccount & { addresses: string }, Pick<MailSuppressionRow, "address">>(
  (db, param, dialect) =>
    db
      .selectFrom("mail_suppressions")
      .select("address")
      .where("team_id", "=", param("team_id"))
      .where("account_id", "=", param("account_id"))
      .where((row) => dialect.isInTexts(row.ref("address"), param("addresses"))),
);

/** A mail that the team has sent from an account, by its Message-ID. */
export const sentMailById = statement<
  OfAccount & { header_id: string },
  Pick<MailRow, "message_id" | "conversation_id">
>((db, param) =>
  db
    .selectFrom("mails")
    .select(["message_id", "conversation_id"])
    .where("team_id", "=", param("team_id"))
    .where("header_id", "=", param("header_id"))
    .where("account_id", "=", param("account_id"))
    .where("direction", "=", sql.lit("out"))
    .limit(sql.lit(1)),
);

/** A report has come back: the recipient has not got the mail, though its server had taken it. */
export const failMailRecipient = statement<Omit<MailRecipientRow, "state">>((db, param) =>
  db
    .updateTable("mail_recipients")
    .set({ state: sql.lit("failed"), ...every(param, ["reason", "reason_named", "changed_at"]) })
    .where("team_id", "=", param("team_id"))
    .where("message_id", "=", param("message_id"))
    .where("address", "=", param("address")),
);

/** A report has come back: another server goes on trying. */
export const noteMailDelayed = statement<Omit<MailRecipientRow, "state">>((db, param) =>
  db
    .updateTable("mail_recipients")
    .set(every(param, ["reason", "reason_named", "changed_at"]))
    .where("team_id", "=", param("team_id"))
    .where("message_id", "=", param("message_id"))
    .where("address", "=", param("address"))
    .where("state", "=", sql.lit("sent")),
);

/** Changes nothing when it is suppressed already. */
export const insertSuppression = statement<MailSuppressionRow>((db, param) =>
  db
    .insertInto("mail_suppressions")
    .values(wholeRow(param, "mail_suppressions"))
    .onConflict((conflict) => conflict.columns(["team_id", "account_id", "address"]).doNothing()),
);

export const deleteSuppression = statement<OfAccount & { address: string }>((db, param) =>
  db
    .deleteFrom("mail_suppressions")
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("address", "=", param("address")),
);

/** Newest first. */
export const suppressionPage = statement<OfAccount & { limit: number; offset: number }, MailSuppressionRow>(
  (db, param) =>
    db
      .selectFrom("mail_suppressions")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where("account_id", "=", param("account_id"))
      .orderBy("created_at", "desc")
      .orderBy("address")
      .limit(param("limit"))
      .offset(param("offset")),
);

/** They are few: counted when they are listed. */
export const suppressionTotal = statement<OfAccount, { total: number }>((db, param) =>
  db
    .selectFrom("mail_suppressions")
    .select(sql<number>`count(*)`.as("total"))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id")),
);
