import { sql } from "kysely";
import { statement } from "../../storage/statement.ts";
import type { MailImportRow, MailRow, MessageRow } from "../../storage/tables.ts";
import type { MailImportState } from "../in/mail-import.ts";
import { EXCERPT_MAX } from "../one-line.ts";

/** A mail that is a system message is known by the id of that: ids rise with time. */
export type QuietMailRow = Pick<MailImportRow, "account_id" | "taken_at"> &
  Pick<MessageRow, "id" | "conversation_id"> &
  Pick<MailRow, "subject"> & {
    /** As `mails.sender` has it. */
    sender: string | null;
    /** The beginning of the text. */
    beginning: string;
  };

/** A long text may begin with white space. */
const BEGINNING = sql.lit(10 * EXCERPT_MAX);

/** The states of mails that are listed beside spam. Each has an index of its own. */
export type QuietState = Extract<MailImportState, "held" | "automatic">;

export const quietMailPage = {
  held: pageOf("held"),
  automatic: pageOf("automatic"),
};

/**
 * Some of the team's mails in a state between two ids, the newest first. Those of an erased conversation are unknown at once, and deleted
 * later. The state is a literal, as in the index.
 */
function pageOf(state: QuietState) {
  return statement<{ team_id: string; after_id: string; before_id: string; limit: number }, QuietMailRow>((db, param) =>
    db
      .selectFrom("mail_imports")
      .innerJoin("mails", (join) =>
        join
          .onRef("mails.team_id", "=", "mail_imports.team_id")
          .onRef("mails.message_id", "=", "mail_imports.message_id"),
      )
      .innerJoin("messages", (join) =>
        join
          .onRef("messages.team_id", "=", "mail_imports.team_id")
          .onRef("messages.id", "=", "mail_imports.message_id"),
      )
      .innerJoin("conversations", (join) =>
        join
          .onRef("conversations.team_id", "=", "messages.team_id")
          .onRef("conversations.id", "=", "messages.conversation_id"),
      )
      .select(["messages.id", "messages.conversation_id", "mail_imports.account_id", "mail_imports.taken_at"])
      .select(["mails.subject", "mails.sender"])
      .select(sql<string>`substr(messages.content, 1, ${BEGINNING})`.as("beginning"))
      .where("mail_imports.team_id", "=", param("team_id"))
      .where("mail_imports.state", "=", sql.lit(state))
      .where("mail_imports.message_id", ">", param("after_id"))
      .where("mail_imports.message_id", "<", param("before_id"))
      .orderBy("mail_imports.message_id", "desc")
      .limit(param("limit")),
  );
}
