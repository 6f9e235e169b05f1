/**
 * What is old enough to go: the oldest first, by indexes that a row leaves when it is erased (migration 29), so that nothing is read
 * that stays, but what is on hold.
 */
import type { SentVia } from "@frontdesk/core/domain/conversation";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { MailImportState } from "../email/in/mail-import.ts";
import { isOfFreeSender, type UnimportedMail } from "../email/in/mail-import-store.ts";
import { every, type Param, statement, wholeRow } from "../storage/statement.ts";
import type { ChannelAccountRow, ContactRow, ConversationRow, RetentionRow } from "../storage/tables.ts";
import { type ContactToHide, columnsToHide } from "./contact-to-hide-store.ts";
import { stands } from "./hold-store.ts";

interface OfTeam {
  team_id: string;
}
/** `now` decides which holds have ended. */
interface Old extends OfTeam {
  before: number;
  now: number;
  limit: number;
}
export type OldOfAccount = Old & { account_id: string };
export type OldOfWidget = Old & { widget_id: string };

export const retentionOfTeam = statement<OfTeam, RetentionRow>((db, param) =>
  db.selectFrom("retention").selectAll().where("team_id", "=", param("team_id")),
);

const SETTINGS = ["settings", "settings_before", "starts_at", "changed_at"] as const;

export const putRetention = statement<RetentionRow>((db, param) =>
  db
    .insertInto("retention")
    .values(wholeRow(param, "retention"))
    .onConflict((conflict) =>
      conflict
        .column("team_id")
        .doUpdateSet((row) => Object.fromEntries(SETTINGS.map((column) => [column, row.ref(`excluded.${column}`)]))),
    ),
);

export const noteRun = statement<Pick<RetentionRow, "team_id" | "erasure_id">>((db, param) =>
  db
    .updateTable("retention")
    .set(every(param, ["erasure_id"]))
    .where("team_id", "=", param("team_id")),
);

/** Every account of the team, also those that are deleted, since their conversations stay; but those of removed widgets. */
export const accountsOfTeam = statement<OfTeam, Pick<ChannelAccountRow, "id" | "channel" | "home_widget_id">>(
  (db, param) =>
    db
      .selectFrom("channel_accounts")
      .innerJoin("widgets", (join) =>
        join
          .onRef("widgets.team_id", "=", "channel_accounts.team_id")
          .onRef("widgets.id", "=", "channel_accounts.home_widget_id"),
      )
      .select(["channel_accounts.id", "channel", "home_widget_id"])
      .where("channel_accounts.team_id", "=", param("team_id"))
      .where("widgets.removed_at", "is", null)
      .orderBy("channel_accounts.id"),
);

export const quietConversations = statement<OldOfAccount, ConversationRow>((db, param) =>
  db
    .selectFrom("conversations")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("is_resolved", "=", sql.lit(1))
    .where("quiet_since", "<", param("before"))
    .where(isFree("conversations.contact_id", param))
    .orderBy("quiet_since")
    .limit(param("limit")),
);

export const quietTexts = statement<OldOfAccount, ConversationRow>((db, param) =>
  db
    .selectFrom("conversations")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("is_resolved", "=", sql.lit(1))
    .where((row) => sql<SqlBool>`${row.ref("texts_erased_to")} < ${row.ref("last_sort_number")}`)
    .where("quiet_since", "<", param("before"))
    .where(isFree("conversations.contact_id", param))
    .orderBy("quiet_since")
    .limit(param("limit")),
);

/** Nothing is left of what visitors and agents wrote about it. */
export const noteTextsErased = statement<Pick<ConversationRow, "team_id" | "id" | "texts_erased_to">>((db, param) =>
  db
    .updateTable("conversations")
    .set({ texts_erased_to: param("texts_erased_to"), rating_comment: null })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Contacts without a conversation. */
export const inactiveContacts = statement<OldOfWidget, ContactToHide>((db, param, dialect) =>
  db
    .selectFrom("contacts")
    .select((row) => columnsToHide(row, param, dialect))
    .where("team_id", "=", param("team_id"))
    .where("widget_id", "=", param("widget_id"))
    .where("conversation_count", "=", sql.lit(0))
    .where("last_active_at", "<", param("before"))
    .where("online_status", "<>", sql.lit("online"))
    .where(isFree("contacts.id", param))
    .orderBy("last_active_at")
    .limit(param("limit")),
);

/** The same of some contacts, with how many conversations each has. */
export const inactiveOf = statement<
  Omit<OldOfWidget, "now" | "limit"> & { contact_ids: string },
  Pick<ContactRow, "id" | "conversation_count">
>((db, param, dialect) =>
  db
    .selectFrom("contacts")
    .select(["id", "conversation_count"])
    .where("team_id", "=", param("team_id"))
    .where("widget_id", "=", param("widget_id"))
    .where("last_active_at", "<", param("before"))
    .where("online_status", "<>", sql.lit("online"))
    .where((row) => dialect.isIn(row.ref("id"), param("contact_ids"))),
);

export interface OldAttachment {
  message_id: string;
  conversation_id: string;
  contact_id: string;
}

export const oldAttachments = statement<OldOfAccount, OldAttachment>((db, param) =>
  db
    .selectFrom("attachments")
    .innerJoin("messages", (join) =>
      join.onRef("messages.team_id", "=", "attachments.team_id").onRef("messages.id", "=", "attachments.message_id"),
    )
    .select(["attachments.message_id", "messages.conversation_id", sql<string>`messages.contact_id`.as("contact_id")])
    .where("attachments.team_id", "=", param("team_id"))
    .where("attachments.account_id", "=", param("account_id"))
    .where("attachments.created_at", "<", param("before"))
    .where("messages.contact_id", "is not", null)
    .where(isFree("messages.contact_id", param))
    .orderBy("attachments.created_at")
    .limit(param("limit")),
);

/**
 * The originals of mails that came in, or that a teammate sent from a mail program: they have their files, and what is shown in their
 * HTML.
 */
export const oldOriginals = statement<OldOfAccount, OldAttachment>((db, param) =>
  db
    .selectFrom("mails")
    .innerJoin("conversations", (join) =>
      join.onRef("conversations.team_id", "=", "mails.team_id").onRef("conversations.id", "=", "mails.conversation_id"),
    )
    .select(["mails.message_id", "mails.conversation_id", "conversations.contact_id"])
    .where("mails.team_id", "=", param("team_id"))
    .where("mails.account_id", "=", param("account_id"))
    .where("mails.raw_file", "is not", null)
    .where("mails.sent_at", "<", param("before"))
    .where((row) =>
      row.or([
        row("mails.direction", "=", sql.lit("in")),
        row.exists(
          row
            .selectFrom("messages")
            .select(sql.lit(1).as("one"))
            .whereRef("messages.team_id", "=", "mails.team_id")
            .whereRef("messages.id", "=", "mails.message_id")
            .where("messages.sent_via", "=", sql.lit("channel" satisfies SentVia)),
        ),
      ]),
    )
    .where(isFree("conversations.contact_id", param))
    .orderBy("mails.sent_at")
    .limit(param("limit")),
);

/** Mails whose import has failed, with their writers. Those that wait in a paused account are kept: they still become messages. */
export const oldUnimported = statement<OldOfAccount, UnimportedMail>((db, param) =>
  db
    .selectFrom("mail_imports")
    .leftJoin("contact_identities", (join) =>
      join
        .onRef("contact_identities.team_id", "=", "mail_imports.team_id")
        .onRef("contact_identities.account_id", "=", "mail_imports.account_id")
        .on("contact_identities.kind", "=", sql.lit("email"))
        .onRef("contact_identities.value", "=", "mail_imports.sender"),
    )
    .select(["mail_imports.account_id", "key", sql<string>`raw_file`.as("raw_file"), "contact_id"])
    .where("mail_imports.team_id", "=", param("team_id"))
    .where("mail_imports.account_id", "=", param("account_id"))
    .where("state", "=", sql.lit("failed" satisfies MailImportState))
    .where("raw_file", "is not", null)
    .where("taken_at", "<", param("before"))
    .where(isOfFreeSender(param))
    .orderBy("taken_at")
    .limit(param("limit")),
);

export const oldPageVisits = statement<OldOfWidget, { contact_id: string; id: string }>((db, param) =>
  db
    .selectFrom("page_visits")
    .select(["contact_id", "id"])
    .where("team_id", "=", param("team_id"))
    .where("widget_id", "=", param("widget_id"))
    .where("visited_at", "<", param("before"))
    .where(isFree("page_visits.contact_id", param))
    .orderBy("visited_at")
    .limit(param("limit")),
);

type WithIp = OfTeam & { ids: string };

export const contactsWithOldIp = statement<Old, { id: string }>((db, param) =>
  db
    .selectFrom("contacts")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("ip", "is not", null)
    .where("created_at", "<", param("before"))
    .where(isFree("contacts.id", param))
    .orderBy("created_at")
    .limit(param("limit")),
);
export const forgetContactIp = statement<WithIp>((db, param, dialect) =>
  db
    .updateTable("contacts")
    .set({ ip: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

export const sessionsWithOldIp = statement<Old, { id: string }>((db, param) =>
  db
    .selectFrom("sessions")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("ip", "is not", null)
    .where("created_at", "<", param("before"))
    .orderBy("created_at")
    .limit(param("limit")),
);
export const forgetSessionIp = statement<WithIp>((db, param, dialect) =>
  db
    .updateTable("sessions")
    .set({ ip: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

export const auditWithOldIp = statement<OfTeam & { before_id: string; limit: number }, { id: string }>((db, param) =>
  db
    .selectFrom("audit_log")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("ip", "is not", null)
    .where("id", "<", param("before_id"))
    .orderBy("id")
    .limit(param("limit")),
);
export const forgetAuditIp = statement<WithIp>((db, param, dialect) =>
  db
    .updateTable("audit_log")
    .set({ ip: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

/** The contact is not on hold. */
function isFree<P extends Old>(contact: string, param: Param<P>): RawBuilder<SqlBool> {
  return sql`not exists (
    select 1 from holds where holds.team_id = ${param("team_id")} and holds.contact_id = ${sql.ref(contact)}
      and ${stands(param)}
  )`;
}
