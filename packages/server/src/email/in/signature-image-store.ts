import { sql } from "kysely";
import { statement } from "../../storage/statement.ts";
import type { AttachmentRow, MailImportRow } from "../../storage/tables.ts";

/**
 * The images of at most `size` in mails of a sender to an account, the oldest first: those that were listed stay among the first, however many
 * mails follow.
 */
export const smallImagesOfSender = statement<
  Pick<MailImportRow, "team_id" | "account_id"> & { sender: string; size: number; limit: number },
  Pick<AttachmentRow, "message_id" | "url" | "mime"> & { size: number }
>((db, param) =>
  db
    .selectFrom("mail_imports")
    .innerJoin("attachments", (join) =>
      join
        .onRef("attachments.team_id", "=", "mail_imports.team_id")
        .onRef("attachments.message_id", "=", "mail_imports.message_id"),
    )
    .select(["attachments.message_id", "attachments.url", "attachments.mime"])
    .select((row) => row.ref("attachments.size").$notNull().as("size"))
    .where("mail_imports.team_id", "=", param("team_id"))
    .where("mail_imports.account_id", "=", param("account_id"))
    .where("mail_imports.sender", "=", param("sender"))
    .where("attachments.type", "=", sql.lit("image"))
    .where("attachments.size", "<=", param("size"))
    .orderBy("mail_imports.taken_at")
    .orderBy("attachments.message_id")
    .orderBy("attachments.position")
    .limit(param("limit")),
);
