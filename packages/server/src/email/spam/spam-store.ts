import { sql } from "kysely";
import type { FileState } from "../../files/file.ts";
import type { Dialect } from "../../storage/dialect.ts";
import { type Param, statement } from "../../storage/statement.ts";
import type { FileRow, MailImportRow } from "../../storage/tables.ts";
import type { MailImportState } from "../in/mail-import.ts";
import { isOfFreeSender, type UnimportedMail } from "../in/mail-import-store.ts";

interface OfTeam {
  team_id: string;
}

/** The state is a literal, as in the index. */
const SPAM = sql.lit("spam" satisfies MailImportState);

/** Spam is known by the id of its original: ids rise with time. */
export type SpamRow = Pick<MailImportRow, "account_id" | "key" | "sender" | "taken_at" | "preview"> & { id: string };

const COLUMNS = [
  "mail_imports.account_id",
  "mail_imports.key",
  "mail_imports.sender",
  "mail_imports.taken_at",
  "mail_imports.preview",
] as const;
const ID = sql<string>`mail_imports.raw_file`.as("id");

/** What agents see: nothing of deleted accounts, whose spam is only kept while its sender is on hold. */
function shownSpam<P extends OfTeam>(db: Dialect["builder"], param: Param<P>) {
  return db
    .selectFrom("mail_imports")
    .innerJoin("channel_accounts", (join) =>
      join
        .onRef("channel_accounts.team_id", "=", "mail_imports.team_id")
        .onRef("channel_accounts.id", "=", "mail_imports.account_id"),
    )
    .where("mail_imports.team_id", "=", param("team_id"))
    .where("mail_imports.state", "=", SPAM)
    .where("channel_accounts.deleted_at", "is", null);
}

/** Some spam older than `before_id`, the newest first. */
export const spamPage = statement<OfTeam & { before_id: string; limit: number }, SpamRow>((db, param) =>
  shownSpam(db, param)
    .select(COLUMNS)
    .select(ID)
    .where("mail_imports.raw_file", "<", param("before_id"))
    .orderBy("mail_imports.raw_file", "desc")
    .limit(param("limit")),
);

/** How much there is, counted up to `most`. */
export const spamTotal = statement<OfTeam & { most: number }, { total: number }>((db, param) =>
  db
    .selectFrom(shownSpam(db, param).select("mail_imports.key").limit(param("most")).as("counted"))
    .select((row) => row.fn.countAll<number>().as("total")),
);

export const spamById = statement<OfTeam & { id: string }, SpamRow>((db, param) =>
  shownSpam(db, param).select(COLUMNS).select(ID).where("mail_imports.raw_file", "=", param("id")),
);

export const originalOfSpam = statement<OfTeam & { id: string }, Pick<FileRow, "id" | "size">>((db, param) =>
  shownSpam(db, param)
    .innerJoin("files", (join) =>
      join.onRef("files.team_id", "=", "mail_imports.team_id").onRef("files.id", "=", "mail_imports.raw_file"),
    )
    .select(["files.id", "files.size"])
    .where("mail_imports.raw_file", "=", param("id"))
    .where("files.state", "=", sql.lit("stored" satisfies FileState)),
);

/** It waits for its import again, and is not taken for spam by it. */
export const storeAgain = statement<Pick<MailImportRow, "team_id" | "account_id" | "key"> & { now: number }>(
  (db, param) =>
    db
      .updateTable("mail_imports")
      .set({
        ...{ state: sql.lit("stored" satisfies MailImportState), not_spam: sql.lit(1), preview: null },
        ...{ run_at: param("now"), attempts: sql.lit(0), error: null },
      })
      .where("team_id", "=", param("team_id"))
      .where("account_id", "=", param("account_id"))
      .where("key", "=", param("key"))
      .where("state", "=", SPAM),
);

type Old = OfTeam & { before_id: string; now: number; limit: number };

/** Spam older than `before_id` with its writers; also of deleted accounts. Not that of senders on hold. */
export const oldSpam = statement<Old, UnimportedMail>((db, param) => oldSpamOf(db, param));

/** The same of one account. */
export const oldSpamOfAccount = statement<Old & { account_id: string }, UnimportedMail>((db, param) =>
  oldSpamOf(db, param).where("mail_imports.account_id", "=", param("account_id")),
);

function oldSpamOf<P extends Old>(db: Dialect["builder"], param: Param<P>) {
  return db
    .selectFrom("mail_imports")
    .leftJoin("contact_identities", (join) =>
      join
        .onRef("contact_identities.team_id", "=", "mail_imports.team_id")
        .onRef("contact_identities.account_id", "=", "mail_imports.account_id")
        .on("contact_identities.kind", "=", sql.lit("email"))
        .onRef("contact_identities.value", "=", "mail_imports.sender"),
    )
    .select(["mail_imports.account_id", "mail_imports.key", "contact_identities.contact_id"])
    .select(sql<string>`mail_imports.raw_file`.as("raw_file"))
    .where("mail_imports.team_id", "=", param("team_id"))
    .where("mail_imports.state", "=", SPAM)
    .where("mail_imports.raw_file", "<", param("before_id"))
    .where(isOfFreeSender(param))
    .orderBy("mail_imports.raw_file")
    .limit(param("limit"));
}

/** The teams that have spam older than `before_id`, each once. */
export const teamsWithOldSpam = statement<{ before_id: string }, OfTeam>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("mail_imports")
          .select(val(1).as("one"))
          .whereRef("mail_imports.team_id", "=", "teams.team_id")
          .where("state", "=", SPAM)
          .where("raw_file", "<", param("before_id")),
      ),
    ),
);
