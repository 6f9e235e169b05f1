import { statement, wholeRow } from "../storage/statement.ts";
import type { VisitorMailRow } from "../storage/tables.ts";

/** When an address was mailed after `after`, oldest first, except for the mail with this conversation and number. */
export const mailsTo = statement<Omit<VisitorMailRow, "sent_at"> & { after: number }, Pick<VisitorMailRow, "sent_at">>(
  (db, param) =>
    db
      .selectFrom("visitor_mails")
      .select("sent_at")
      .where("team_id", "=", param("team_id"))
      .where("email_folded", "=", param("email_folded"))
      .where("sent_at", ">", param("after"))
      .where((mail) =>
        mail.not(
          mail.and([mail("conversation_id", "=", param("conversation_id")), mail("up_to", "=", param("up_to"))]),
        ),
      )
      .orderBy("sent_at"),
);

/** A mail that is sent again has the time of the latest attempt. */
export const putMail = statement<VisitorMailRow>((db, param) =>
  db
    .insertInto("visitor_mails")
    .values(wholeRow(param, "visitor_mails"))
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "email_folded", "conversation_id", "up_to"])
        .doUpdateSet({ sent_at: param("sent_at") }),
    ),
);

export interface OldMails {
  before: number;
}

/** The teams that have mails from before `before`, each once. */
export const teamsWithOldMails = statement<OldMails, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("visitor_mails")
          .select(val(1).as("one"))
          .whereRef("visitor_mails.team_id", "=", "teams.team_id")
          .where("sent_at", "<=", param("before")),
      ),
    ),
);

/** Deletes about `limit` of them at most. */
export const deleteOldMails = statement<OldMails & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("visitor_mails")
    .where("team_id", "=", param("team_id"))
    .where("sent_at", "<=", param("before"))
    .where("email_folded", "in", ({ selectFrom }) =>
      selectFrom("visitor_mails")
        .select("email_folded")
        .where("team_id", "=", param("team_id"))
        .where("sent_at", "<=", param("before"))
        .limit(param("limit")),
    ),
);
