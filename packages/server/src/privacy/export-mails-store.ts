/** What is exported of the mails of a contact beside those of their conversations. */
import { channels, traitsOf } from "@frontdesk/core/domain/channel";
import { sql } from "kysely";
import type { FileState } from "../files/file.ts";
import { statement } from "../storage/statement.ts";
import type { FileRow, MailImportRow, MailSuppressionRow, MailTokenRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

type OfContact = OfTeam & { contact_id: string };

/** The suppressions of the addresses that a contact is known by. */
export const suppressionsOfContact = statement<OfContact, Omit<MailSuppressionRow, "team_id" | "account_id">>(
  (db, param) =>
    db
      .selectFrom("contact_identities")
      .innerJoin("mail_suppressions", (join) =>
        join
          .onRef("mail_suppressions.team_id", "=", "contact_identities.team_id")
          .onRef("mail_suppressions.account_id", "=", "contact_identities.account_id")
          .onRef("mail_suppressions.address", "=", "contact_identities.value"),
      )
      .select(["mail_suppressions.address", "mail_suppressions.reason", "mail_suppressions.created_at"])
      .where("contact_identities.team_id", "=", param("team_id"))
      .where("contact_identities.contact_id", "=", param("contact_id"))
      .orderBy("mail_suppressions.created_at")
      .orderBy("contact_identities.account_id")
      .orderBy("mail_suppressions.address"),
);

export type UnimportedMail = Pick<FileRow, "id" | "name" | "mime" | "size"> & Pick<MailImportRow, "taken_at">;

/** The originals of mails of a contact that are no message: they wait, or their import has failed. The oldest first. */
export const unimportedOfContact = statement<OfContact, UnimportedMail>((db, param) =>
  db
    .selectFrom("contact_identities")
    .innerJoin("mail_imports", (join) =>
      join
        .onRef("mail_imports.team_id", "=", "contact_identities.team_id")
        .onRef("mail_imports.account_id", "=", "contact_identities.account_id")
        .onRef("mail_imports.sender", "=", "contact_identities.value"),
    )
    .innerJoin("files", (join) =>
      join.onRef("files.team_id", "=", "mail_imports.team_id").onRef("files.id", "=", "mail_imports.raw_file"),
    )
    .select(["files.id", "files.name", "files.mime", "files.size", "mail_imports.taken_at"])
    .where("contact_identities.team_id", "=", param("team_id"))
    .where("contact_identities.contact_id", "=", param("contact_id"))
    .where("mail_imports.message_id", "is", null)
    .where("files.state", "=", sql.lit("stored" satisfies FileState))
    .orderBy("mail_imports.taken_at")
    .orderBy("files.id"),
);

/** The folded addresses to which answers in a chat were mailed: only its visitor gets them. None for other conversations. */
export const askedAddresses = statement<OfTeam & { conversation_id: string }, Pick<MailTokenRow, "address">>(
  (db, param) =>
    db
      .selectFrom("conversations")
      .innerJoin("mail_tokens", (join) =>
        join
          .onRef("mail_tokens.team_id", "=", "conversations.team_id")
          .onRef("mail_tokens.conversation_id", "=", "conversations.id"),
      )
      .select("mail_tokens.address")
      .where("conversations.team_id", "=", param("team_id"))
      .where("conversations.id", "=", param("conversation_id"))
      .where(
        "conversations.channel",
        "in",
        channels.filter((channel) => traitsOf(channel).inBrowser).map((channel) => sql.lit(channel)),
      ),
);
