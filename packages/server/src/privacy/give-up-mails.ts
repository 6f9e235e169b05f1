import type { Context } from "../context.ts";
import type { MailImportState } from "../email/in/mail-import.ts";
import { giveUpMailFile } from "../email/in/mail-import-store.ts";
import { foldAddress } from "../email/rules/mail-address.ts";
import { listParam } from "../storage/dialect.ts";
import { statement } from "../storage/statement.ts";
import type { MailImportRow, MailRecipientRow, MailRow, MessageRow } from "../storage/tables.ts";

interface OfMessages {
  team_id: string;
  message_ids: string;
}

/**
 * What goes with messages that are mails: `all` with their rows; `texts` what they contain; `files` only the originals, which contain
 * the attachments. How each mail came in stays known by its hash alone. Returns how many files are given up.
 */
export async function giveUpMails(
  ctx: Context,
  messageIds: readonly string[],
  what: "all" | "texts" | "files",
): Promise<number> {
  const some = { team_id: ctx.teamId, message_ids: listParam(messageIds) };
  const rows = await Promise.all([ctx.db.all(originalsOfMails, some), ctx.db.all(originalsOfImports, some)]);
  const originals = new Set(rows.flat().flatMap(({ raw_file }) => raw_file ?? []));
  for (const id of originals) ctx.write(giveUpMailFile, { team_id: ctx.teamId, id });
  if (what === "files") {
    ctx.write(dropOriginals, some);
    ctx.write(dropOriginalsOfImports, some);
    return originals.size;
  }
  const passedOn = await giveUpForwards(ctx, messageIds);
  ctx.write(what === "all" ? forgetImports : emptyImports, some);
  if (what === "all") {
    await deleteSuppressions(ctx, messageIds);
    ctx.write(deleteRecipients, some);
  }
  ctx.write(what === "all" ? deleteMails : emptyMails, some);
  return originals.size + passedOn;
}

/**
 * The mails after a message of their conversation may quote it: their originals go, and the quoted text; what is shown of them stays. One
 * that is still to be sent is composed anew, without the quote. Returns how many files are given up.
 */
export async function giveUpQuotes(
  ctx: Context,
  { conversation_id, sort_number }: Pick<MessageRow, "conversation_id" | "sort_number">,
): Promise<number> {
  const later = await ctx.db.all(quotingMails, { team_id: ctx.teamId, conversation_id, sort_number });
  if (later.length === 0) return 0;
  const ids = later.map(({ message_id }) => message_id);
  ctx.write(forgetFolded, { team_id: ctx.teamId, message_ids: listParam(ids) });
  return (await giveUpMails(ctx, ids, "files")) + (await giveUpForwards(ctx, ids));
}

/**
 * What forwards have of these mails, in the conversations of other people: the text that they pass on and its subject, their originals, and
 * what later mails there may quote. One that is still to be sent goes without. Each names an older mail, so this ends. Returns how many
 * files are given up.
 */
async function giveUpForwards(ctx: Context, messageIds: readonly string[]): Promise<number> {
  const of = { team_id: ctx.teamId };
  const forwards = await ctx.db.all(forwardsOfMails, { ...of, message_ids: listParam(messageIds) });
  if (forwards.length === 0) return 0;
  const ids = forwards.map(({ message_id }) => message_id);
  let files = await giveUpMails(ctx, ids, "files");
  files += await giveUpForwards(ctx, ids);
  ctx.write(forgetPassedOn, { ...of, message_ids: listParam(ids) });
  for (const { conversation_id, sort_number } of forwards) {
    ctx.write(forgetSubject, { ...of, conversation_id });
    ctx.write(forgetSubjectsOfMails, { ...of, conversation_id });
    files += await giveUpQuotes(ctx, { conversation_id, sort_number });
  }
  return files;
}

const forwardsOfMails = statement<
  OfMessages,
  Pick<MailRow, "message_id" | "conversation_id"> & Pick<MessageRow, "sort_number">
>((db, param, dialect) =>
  db
    .selectFrom("mails")
    .innerJoin("messages", (join) =>
      join.onRef("messages.team_id", "=", "mails.team_id").onRef("messages.id", "=", "mails.message_id"),
    )
    .select(["mails.message_id", "mails.conversation_id", "messages.sort_number"])
    .where("mails.team_id", "=", param("team_id"))
    .where("mails.forward_of", "is not", null)
    .where((row) => dialect.isIn(row.ref("mails.forward_of"), param("message_ids"))),
);

const forgetPassedOn = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("mails")
    .set({ folded_text: null, forward_of: null, forward_files: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

/** All of them have the subject of the mail that was forwarded. */
const forgetSubjectsOfMails = statement<{ team_id: string; conversation_id: string }>((db, param) =>
  db
    .updateTable("mails")
    .set({ subject: "" })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

const quotingMails = statement<
  Pick<MessageRow, "team_id" | "conversation_id" | "sort_number">,
  Pick<MailRow, "message_id">
>((db, param) =>
  db
    .selectFrom("mails")
    .innerJoin("messages", (join) =>
      join.onRef("messages.team_id", "=", "mails.team_id").onRef("messages.id", "=", "mails.message_id"),
    )
    .select("mails.message_id")
    .where("mails.team_id", "=", param("team_id"))
    .where("mails.conversation_id", "=", param("conversation_id"))
    .where("messages.sort_number", ">", param("sort_number"))
    .where((row) => row.or([row("mails.raw_file", "is not", null), row("mails.folded_text", "is not", null)])),
);

const forgetFolded = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("mails")
    .set({ folded_text: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

/** Those of recipients, who may be others than the contact; what is a contact's own goes with that contact. */
async function deleteSuppressions(ctx: Context, messageIds: readonly string[]): Promise<void> {
  const recipients = await ctx.db.all(recipientsInAccounts, {
    team_id: ctx.teamId,
    message_ids: listParam(messageIds),
  });
  for (const [account_id, found] of Map.groupBy(recipients, (one) => one.account_id)) {
    const addresses = listParam(found.map(({ address }) => foldAddress(address)));
    ctx.write(deleteSuppressionsAmong, { team_id: ctx.teamId, account_id, addresses });
  }
}

const recipientsInAccounts = statement<OfMessages, Pick<MailRow, "account_id"> & Pick<MailRecipientRow, "address">>(
  (db, param, dialect) =>
    db
      .selectFrom("mail_recipients")
      .innerJoin("mails", (join) =>
        join
          .onRef("mails.team_id", "=", "mail_recipients.team_id")
          .onRef("mails.message_id", "=", "mail_recipients.message_id"),
      )
      .select(["mails.account_id", "mail_recipients.address"])
      .distinct()
      .where("mail_recipients.team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("mail_recipients.message_id"), param("message_ids"))),
);

const deleteSuppressionsAmong = statement<{ team_id: string; account_id: string; addresses: string }>(
  (db, param, dialect) =>
    db
      .deleteFrom("mail_suppressions")
      .where("team_id", "=", param("team_id"))
      .where("account_id", "=", param("account_id"))
      .where((row) => dialect.isInTexts(row.ref("address"), param("addresses")))
      .where("address", "not in", (query) =>
        query
          .selectFrom("contact_identities")
          .select("contact_identities.value")
          .where("contact_identities.team_id", "=", param("team_id"))
          .where("contact_identities.account_id", "=", param("account_id"))
          .where((row) => dialect.isInTexts(row.ref("contact_identities.value"), param("addresses"))),
      ),
);

const originalsOfMails = statement<OfMessages, Pick<MailRow, "raw_file">>((db, param, dialect) =>
  db
    .selectFrom("mails")
    .select("raw_file")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

const originalsOfImports = statement<OfMessages, Pick<MailImportRow, "raw_file">>((db, param, dialect) =>
  db
    .selectFrom("mail_imports")
    .select("raw_file")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

const ERASED = {
  ...{ state: "erased" satisfies MailImportState, raw_file: null, sender: null, error: null, preview: null },
} as const;

/** Of messages, or of contacts whose mails were none (`forgetUnimportedOfContact`). */
export const forgetImports = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("mail_imports")
    .set({ ...ERASED, message_id: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

/** The messages stay: the record of erasures finds the mails by them. */
const emptyImports = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("mail_imports")
    .set(ERASED)
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

const deleteMails = statement<OfMessages>((db, param, dialect) =>
  db
    .deleteFrom("mails")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

const deleteRecipients = statement<OfMessages>((db, param, dialect) =>
  db
    .deleteFrom("mail_recipients")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

/** An answer still finds the conversation. */
const emptyMails = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("mails")
    .set({ raw_file: null, subject: "", folded_text: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

const dropOriginals = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("mails")
    .set({ raw_file: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

const dropOriginalsOfImports = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("mail_imports")
    .set({ raw_file: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

/** The subject of a conversation is that of its first mail. */
export const forgetSubject = statement<{ team_id: string; conversation_id: string }>((db, param) =>
  db
    .updateTable("conversations")
    .set({ email_subject: null, email_subject_folded: "" })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("conversation_id"))
    .where("email_subject", "is not", null),
);
