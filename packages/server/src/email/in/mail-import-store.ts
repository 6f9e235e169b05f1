import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { FileState } from "../../files/file.ts";
import { stands } from "../../privacy/hold-store.ts";
import { every, type Param, statement, wholeRow } from "../../storage/statement.ts";
import type { MailImportRow } from "../../storage/tables.ts";
import { type MailImportState, type WaitingState, waitingStates } from "./mail-import.ts";

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

/** The next mails of an account that are to be imported, at most `limit`, of those that wait in a state. */
export const nextMailImports = {
  stored: nextIn("stored"),
  sent: nextIn("sent"),
};

/** The state is a literal, as in the index. */
function nextIn(state: WaitingState) {
  return statement<Pick<MailImportRow, "team_id" | "account_id"> & { now: number; limit: number }, MailImportRow>(
    (db, param) =>
      db
        .selectFrom("mail_imports")
        .selectAll()
        .where("team_id", "=", param("team_id"))
        .where("account_id", "=", param("account_id"))
        .where("state", "=", sql.lit(state))
        .where("run_at", "<=", param("now"))
        .orderBy("run_at")
        .orderBy("taken_at")
        // Ids rise with time.
        .orderBy("raw_file")
        .limit(param("limit")),
  );
}

const WAITING = waitingStates.map((state) => sql.lit(state));

/** Whether a mail that came in to the account waits whose import has not been tried. */
export const untriedMailImport = statement<Pick<MailImportRow, "team_id" | "account_id">, Pick<MailImportRow, "key">>(
  (db, param) =>
    db
      .selectFrom("mail_imports")
      .select("key")
      .where("team_id", "=", param("team_id"))
      .where("account_id", "=", param("account_id"))
      .where("state", "=", sql.lit("stored"))
      .where("attempts", "=", sql.lit(0))
      .limit(sql.lit(1)),
);

/** How an import ended, or when it is tried again. Changes nothing of one that has ended. */
export const changeMailImport = statement<
  ByKey &
    Pick<MailImportRow, "state" | "raw_file" | "message_id" | "sender" | "run_at" | "attempts" | "error" | "preview">
>((db, param) =>
  db
    .updateTable("mail_imports")
    .set(every(param, ["state", "raw_file", "message_id", "sender", "run_at", "attempts", "error", "preview"]))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("key", "=", param("key"))
    .where("state", "in", WAITING),
);

/** How many mails of a sender have become messages since `since`; those that wait do not count yet. */
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
    .where("taken_at", ">", param("since"))
    .where("message_id", "is not", null),
);

/** The file goes after the commit (`files/remove-unused-files.ts`). */
const GIVEN_UP = {
  ...{ state: "removing" satisfies FileState, used_at: null, created_at: sql.lit<number>(0), name: "" },
} as const;

export const giveUpMailFile = statement<{ team_id: string; id: string }>((db, param) =>
  db.updateTable("files").set(GIVEN_UP).where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Those of its attachments, unless a message has them. */
export const giveUpUnusedFile = statement<{ team_id: string; id: string }>((db, param) =>
  db
    .updateTable("files")
    .set(GIVEN_UP)
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("used_at", "is", null),
);

type OfAccount = Pick<MailImportRow, "team_id" | "account_id">;

/** Of a row of `mail_imports`: no contact who is on hold is known by the address of its sender there. */
export const isOfFreeSender = <P extends { team_id: string; now: number }>(param: Param<P>): RawBuilder<SqlBool> =>
  sql`not exists (
    select 1 from contact_identities
      inner join holds on holds.team_id = contact_identities.team_id and holds.contact_id = contact_identities.contact_id
      where contact_identities.team_id = ${param("team_id")} and contact_identities.account_id = mail_imports.account_id
        and contact_identities.kind = 'email' and contact_identities.value = mail_imports.sender and ${stands(param)}
  )`;

/** A mail that became no message. */
export interface UnimportedMail {
  account_id: string;
  key: string;
  raw_file: string;
  /** Who wrote it, if they are known. */
  contact_id: string | null;
}

/** The contacts who wrote what `giveUpUnimported` gives up. */
export const writersOfUnimported = statement<OfAccount & { now: number }, { contact_id: string }>((db, param) =>
  db
    .selectFrom("mail_imports")
    .innerJoin("contact_identities", (join) =>
      join
        .onRef("contact_identities.team_id", "=", "mail_imports.team_id")
        .onRef("contact_identities.account_id", "=", "mail_imports.account_id")
        .on("contact_identities.kind", "=", sql.lit("email"))
        .onRef("contact_identities.value", "=", "mail_imports.sender"),
    )
    .select("contact_identities.contact_id")
    .distinct()
    .where("mail_imports.team_id", "=", param("team_id"))
    .where("mail_imports.account_id", "=", param("account_id"))
    .where("mail_imports.message_id", "is", null)
    .where("mail_imports.raw_file", "is not", null)
    .where(isOfFreeSender(param)),
);

/** The originals of an account's mails that became no message: they wait, are spam, or have failed. Not those of senders on hold. */
export const giveUpUnimported = statement<OfAccount & { now: number }>((db, param) =>
  db
    .updateTable("files")
    .set(GIVEN_UP)
    .where("team_id", "=", param("team_id"))
    .where("id", "in", (query) =>
      query
        .selectFrom("mail_imports")
        .select(({ ref }) => sql<string>`${ref("mail_imports.raw_file")}`.as("file"))
        .where("mail_imports.team_id", "=", param("team_id"))
        .where("mail_imports.account_id", "=", param("account_id"))
        .where("mail_imports.message_id", "is", null)
        .where("mail_imports.raw_file", "is not", null)
        .where(isOfFreeSender(param)),
    ),
);

/** What is left of a mail of which nothing is kept but that it came. */
const forgotten = (state: MailImportState) => ({
  ...{ state: sql.lit(state), raw_file: null, sender: null, error: null, preview: null },
});

/** After `giveUpUnimported`. */
export const forgetUnimported = statement<OfAccount & { now: number }>((db, param) =>
  db
    .updateTable("mail_imports")
    .set(forgotten("ignored"))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("message_id", "is", null)
    .where("raw_file", "is not", null)
    .where(isOfFreeSender(param)),
);

/** Those that `forgetUnimported` has left: nothing imports them any more. Spam stays what it is, and goes by its age. */
export const failWaitingMails = statement<OfAccount>((db, param) =>
  db
    .updateTable("mail_imports")
    .set({ state: sql.lit("failed" satisfies MailImportState) })
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("state", "in", WAITING),
);

/** As `forgetUnimported`, of one mail. */
export const forgetMailImport = statement<ByKey>((db, param) =>
  db
    .updateTable("mail_imports")
    .set(forgotten("ignored"))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("key", "=", param("key"))
    .where("message_id", "is", null),
);

type OfContact = { team_id: string; contact_id: string };

/** The same of the mails that a contact wrote, by the addresses that they are known by. */
export const giveUpUnimportedOfContact = statement<OfContact>((db, param) =>
  db
    .updateTable("files")
    .set(GIVEN_UP)
    .where("team_id", "=", param("team_id"))
    .where("id", "in", (query) =>
      query
        .selectFrom("contact_identities")
        .innerJoin("mail_imports", (join) =>
          join
            .onRef("mail_imports.team_id", "=", "contact_identities.team_id")
            .onRef("mail_imports.account_id", "=", "contact_identities.account_id")
            .onRef("mail_imports.sender", "=", "contact_identities.value"),
        )
        .select(({ ref }) => sql<string>`${ref("mail_imports.raw_file")}`.as("file"))
        .where("contact_identities.team_id", "=", param("team_id"))
        .where("contact_identities.contact_id", "=", param("contact_id"))
        .where("mail_imports.message_id", "is", null)
        .where("mail_imports.raw_file", "is not", null),
    ),
);

/** Until they are in the record of erasures, they are found by the contact (`privacy/mails-of-erasure.ts`). */
export const forgetUnimportedOfContact = statement<OfContact>((db, param) =>
  db
    .updateTable("mail_imports")
    .set({ ...forgotten("erased"), message_id: param("contact_id") })
    .where("team_id", "=", param("team_id"))
    .where("message_id", "is", null)
    .where("raw_file", "is not", null)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("account_id", "sender"),
        "in",
        selectFrom("contact_identities")
          .select(({ ref }) => [
            "contact_identities.account_id",
            sql<string | null>`${ref("contact_identities.value")}`.as("value"),
          ])
          .where("contact_identities.team_id", "=", param("team_id"))
          .where("contact_identities.contact_id", "=", param("contact_id"))
          .$asTuple("account_id", "value"),
      ),
    ),
);

/** A mail that has become no message yet, and must not become one. Of others the message is erased. */
export const forgetMail = statement<ByKey>((db, param) =>
  db
    .updateTable("mail_imports")
    .set(forgotten("erased"))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("key", "=", param("key"))
    .where("message_id", "is", null),
);
