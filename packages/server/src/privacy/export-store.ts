import type { MessageType } from "@frontdesk/core/domain/conversation";
import { sql } from "kysely";
import type { FileState } from "../files/file.ts";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { ContactIdentityRow, ContactRow, ExportRow, FileRow, MessageRow, WidgetRow } from "../storage/tables.ts";
import type { ExportState } from "./export.ts";

interface OfTeam {
  team_id: string;
}
type OfContact = OfTeam & Pick<ExportRow, "contact_id">;

export const insertExport = statement<ExportRow>((db, param) =>
  db.insertInto("exports").values(wholeRow(param, "exports")),
);

export const exportById = statement<OfTeam & { id: string }, ExportRow>((db, param) =>
  db.selectFrom("exports").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Those that the team has asked for, and those that a visitor has confirmed, the newest first. */
export const exportsOfContact = statement<OfContact, ExportRow>((db, param) =>
  db
    .selectFrom("exports")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("state", "<>", sql.lit("requested" satisfies ExportState))
    .orderBy("requested_at", "desc")
    .orderBy("id", "desc"),
);

/** Those of a link that was mailed to a visitor. */
export const exportsOfLink = statement<OfTeam & { link_hash: string }, ExportRow>((db, param) =>
  db
    .selectFrom("exports")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("link_hash", "=", param("link_hash"))
    .orderBy("id"),
);

/** Those of a contact that wait for a visitor to confirm them. */
export const requestedExports = statement<OfContact, Pick<ExportRow, "id">>((db, param) =>
  db
    .selectFrom("exports")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("state", "=", sql.lit("requested" satisfies ExportState)),
);

export const confirmExport = statement<OfTeam & Pick<ExportRow, "id" | "requested_at">>((db, param) =>
  db
    .updateTable("exports")
    .set({ state: sql.lit("running" satisfies ExportState), requested_at: param("requested_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The contacts of a team who have an email address, whichever widget or channel they came by. */
export const contactsOfEmail = statement<
  OfTeam & { email_folded: string; limit: number },
  Pick<ContactRow, "id" | "verified_email"> & { email: string }
>((db, param) =>
  db
    .selectFrom("widgets")
    .innerJoin("contacts", (join) =>
      join.onRef("contacts.team_id", "=", "widgets.team_id").onRef("contacts.widget_id", "=", "widgets.id"),
    )
    .select(["contacts.id", "contacts.verified_email", sql<string>`contacts.email`.as("email")])
    .where("widgets.team_id", "=", param("team_id"))
    .where("contacts.email_folded", "=", param("email_folded"))
    .orderBy("contacts.last_active_at", "desc")
    .orderBy("contacts.id", "desc")
    .limit(param("limit")),
);

/** Changes nothing of one that is not running. */
export const endExport = statement<OfTeam & Pick<ExportRow, "id" | "state" | "finished_at" | "size">>((db, param) =>
  db
    .updateTable("exports")
    .set(every(param, ["state", "finished_at", "size"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "=", sql.lit("running" satisfies ExportState)),
);

export const deleteExport = statement<OfTeam & { id: string }>((db, param) =>
  db.deleteFrom("exports").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

type OfContacts = OfTeam & { contact_ids: string };

export const deleteExportsOfContacts = statement<OfContacts>((db, param, dialect) =>
  db
    .deleteFrom("exports")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", (query) =>
      query
        .selectFrom("exports as found")
        .select("found.id")
        .where("found.team_id", "=", param("team_id"))
        .where((row) => dialect.isIn(row.ref("found.contact_id"), param("contact_ids"))),
    ),
);

const GIVEN_UP = { state: "removing", used_at: null, created_at: sql.lit<number>(0), name: "" } as const;

/** The file is unusable from now on; the clean-up removes its content and its row. */
export const giveUpExportFile = statement<OfTeam & { id: string }>((db, param) =>
  db.updateTable("files").set(GIVEN_UP).where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** The same of all exports of contacts. */
export const giveUpExportFiles = statement<OfContacts>((db, param, dialect) =>
  db
    .updateTable("files")
    .set(GIVEN_UP)
    .where("team_id", "=", param("team_id"))
    .where("id", "in", (query) =>
      query
        .selectFrom("exports")
        .select("exports.id")
        .where("exports.team_id", "=", param("team_id"))
        .where((row) => dialect.isIn(row.ref("exports.contact_id"), param("contact_ids"))),
    ),
);

const exportedColumns = [
  "id",
  "sort_number",
  "agent_id",
  "contact_id",
  "type",
  "sent_via",
  "content",
  "created_at",
] as const;
export type ExportedMessageRow = Pick<MessageRow, (typeof exportedColumns)[number]>;

/** The next messages of some types in a conversation, and the mails that came in as system lines, the oldest first. */
export const messagesToExport = statement<
  OfTeam & { conversation_id: string; after: number; up_to: number; types: string; limit: number },
  ExportedMessageRow
>((db, param, dialect) =>
  db
    .selectFrom("messages")
    .select(exportedColumns)
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", ">", param("after"))
    .where("sort_number", "<=", param("up_to"))
    .where((row) =>
      row.or([
        dialect.isInTexts(row.ref("type"), param("types")),
        row.exists(
          row
            .selectFrom("mails")
            .select(sql.lit(1).as("one"))
            .whereRef("mails.team_id", "=", "messages.team_id")
            .whereRef("mails.message_id", "=", "messages.id")
            .where("mails.direction", "=", sql.lit("in")),
        ),
      ]),
    )
    .orderBy("sort_number")
    .limit(param("limit")),
);

/** All but system lines, which are the team's own if they are no mails. */
export const EXPORTED_TYPES = ["message", "reminder"] as const satisfies MessageType[];

export const identitiesOfContact = statement<OfContact, Pick<ContactIdentityRow, "kind" | "value">>((db, param) =>
  db
    .selectFrom("contact_identities")
    .select(["kind", "value"])
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .orderBy("account_id")
    .orderBy("kind")
    .orderBy("value"),
);

export const widgetNames = statement<OfTeam, Pick<WidgetRow, "id" | "name">>((db, param) =>
  db.selectFrom("widgets").select(["id", "name"]).where("team_id", "=", param("team_id")),
);

/** The originals of the mails among these messages. */
export const originalsOfMessages = statement<
  OfTeam & { message_ids: string },
  Pick<FileRow, "id" | "name" | "mime" | "size"> & { message_id: string }
>((db, param, dialect) =>
  db
    .selectFrom("mails")
    .innerJoin("files", (join) =>
      join.onRef("files.team_id", "=", "mails.team_id").onRef("files.id", "=", "mails.raw_file"),
    )
    .select(["mails.message_id", "files.id", "files.name", "files.mime", "files.size"])
    .where("mails.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("mails.message_id"), param("message_ids")))
    .where("files.state", "=", sql.lit("stored" satisfies FileState)),
);

/** The complete ones of these files, by the hashes of their tokens. */
export const storedFiles = statement<
  OfTeam & { token_hashes: string },
  Pick<FileRow, "id" | "token_hash" | "name" | "mime" | "size">
>((db, param, dialect) =>
  db
    .selectFrom("files")
    .select(["id", "token_hash", "name", "mime", "size"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInTexts(row.ref("token_hash"), param("token_hashes")))
    .where("state", "=", sql.lit("stored" satisfies FileState)),
);
