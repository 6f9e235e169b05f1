import { sql } from "kysely";
import type { FileState } from "../../files/file.ts";
import { every, statement, wholeRow } from "../../storage/statement.ts";
import type { MailImportRow } from "../../storage/tables.ts";

type ByKey = Pick<MailImportRow, "team_id" | "account_id" | "key">;

/** Changes nothing when the mail is known. */
export const insertMailImport = statement<MailImportRow>((db, param) =>
  db
    .insertInto("mail_imports")
    .values(wholeRow(param, "mail_imports"))
    .onConflict((conflict) => conflict.columns(["team_id", "account_id", "key"]).doNothing()),
);

export const mailImportByKey = statement<ByKey, MailImportRow>((db, param) =>
  db
    .selectFrom("mail_imports")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("key", "=", param("key")),
);

/** The next mail of an account that is to be imported. The state is a literal, as in the index. */
export const nextMailImport = statement<
  Pick<MailImportRow, "team_id" | "account_id"> & { now: number },
  MailImportRow
>((db, param) =>
  db
    .selectFrom("mail_imports")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("state", "=", sql.lit("stored"))
    .where("run_at", "<=", param("now"))
    .orderBy("run_at")
    .orderBy("taken_at")
    // Ids rise with time.
    .orderBy("raw_file")
    .limit(sql.lit(1)),
);

/** How an import ended, or when it is tried again. Changes nothing of one that has ended. */
export const changeMailImport = statement<
  ByKey & Pick<MailImportRow, "state" | "raw_file" | "message_id" | "sender" | "run_at" | "attempts" | "error">
>((db, param) =>
  db
    .updateTable("mail_imports")
    .set(every(param, ["state", "raw_file", "message_id", "sender", "run_at", "attempts", "error"]))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("key", "=", param("key"))
    .where("state", "=", sql.lit("stored")),
);

/** How many mails of a sender have become messages since `since`. */
export const mailsOfSender = statement<
  Pick<MailImportRow, "team_id" | "account_id"> & { sender: string; since: number },
  { total: number }
>((db, param) =>
  db
    .selectFrom("mail_imports")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("sender", "=", param("sender"))
    .where("taken_at", ">", param("since")),
);

/** The file goes after the commit (`files/remove-unused-files.ts`). */
export const giveUpMailFile = statement<{ team_id: string; id: string }>((db, param) =>
  db
    .updateTable("files")
    .set({ state: "removing" satisfies FileState, used_at: null, created_at: sql.lit(0), name: "" })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
