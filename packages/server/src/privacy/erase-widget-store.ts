/** What belongs to a widget, for removing it. */

import { WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { ContactRow, ErasureRow, HoldRow } from "../storage/tables.ts";

interface OfWidget {
  team_id: string;
  widget_id: string;
}

/** Every conversation of a widget is one of a contact of it: neither ever changes. */
export const widgetUse = statement<OfWidget, { contacts: number; conversations: number }>((db, param) =>
  db.selectNoFrom((row) => [
    row
      .selectFrom("contacts")
      .select(sql<number>`count(*)`.as("count"))
      .where("contacts.team_id", "=", param("team_id"))
      .where("contacts.widget_id", "=", param("widget_id"))
      .as("contacts"),
    row
      .selectFrom("contacts")
      .innerJoin("conversations", (join) =>
        join
          .onRef("conversations.team_id", "=", "contacts.team_id")
          .onRef("conversations.contact_id", "=", "contacts.id"),
      )
      .select(sql<number>`count(*)`.as("count"))
      .where("contacts.team_id", "=", param("team_id"))
      .where("contacts.widget_id", "=", param("widget_id"))
      .as("conversations"),
  ]),
);

/** The contacts of a widget who are on hold at `now`. */
export const heldContactsOfWidget = statement<OfWidget & { now: number }, HoldRow>((db, param) =>
  db
    .selectFrom("holds")
    .innerJoin("contacts", (join) =>
      join.onRef("contacts.team_id", "=", "holds.team_id").onRef("contacts.id", "=", "holds.contact_id"),
    )
    .selectAll("holds")
    .where("holds.team_id", "=", param("team_id"))
    .where("contacts.widget_id", "=", param("widget_id"))
    .where((row) => row.or([row("holds.until", "is", null), row("holds.until", ">", param("now"))]))
    .orderBy("holds.held_at")
    .orderBy("holds.contact_id"),
);

/** The other accounts that the widget is the home of, and that are not deleted. */
export const accountsOfWidget = statement<OfWidget, { name: string | null; channel: string }>((db, param) =>
  db
    .selectFrom("channel_accounts")
    .select(["name", "channel"])
    .where("team_id", "=", param("team_id"))
    .where("home_widget_id", "=", param("widget_id"))
    .where("channel", "<>", sql.lit(WIDGET_CHANNEL))
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id"),
);

export const endWidgetAccount = statement<{ team_id: string; id: string; deleted_at: number }>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set({ deleted_at: param("deleted_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

type OfMailboxes = "mails" | "mail_imports" | "mail_suppressions" | "mail_folders";

function deleteOfMailboxes(table: OfMailboxes) {
  return statement<OfWidget>((db, param) =>
    db
      .deleteFrom(table as "mails")
      .where("team_id", "=", param("team_id"))
      .where("account_id", "in", (query) =>
        query
          .selectFrom("channel_accounts")
          .select("channel_accounts.id")
          .where("channel_accounts.team_id", "=", param("team_id"))
          .where("channel_accounts.home_widget_id", "=", param("widget_id")),
      ),
  );
}

/** The originals of mails whose messages another erasure has not come to yet. */
const giveUpOriginals = statement<OfWidget>((db, param) =>
  db
    .updateTable("files")
    .set({ state: "removing", used_at: null, created_at: sql.lit<number>(0), name: "" })
    .where("team_id", "=", param("team_id"))
    .where("id", "in", (query) =>
      query
        .selectFrom("mails")
        .innerJoin("channel_accounts", (join) =>
          join
            .onRef("channel_accounts.team_id", "=", "mails.team_id")
            .onRef("channel_accounts.id", "=", "mails.account_id"),
        )
        .select(({ ref }) => sql<string>`${ref("mails.raw_file")}`.as("file"))
        .where("mails.team_id", "=", param("team_id"))
        .where("channel_accounts.home_widget_id", "=", param("widget_id"))
        .where("mails.raw_file", "is not", null),
    ),
);

/** What the mailboxes of a widget have left, in its order: the files are found by the mails. Their accounts are deleted already. */
export const deletionsOfMailboxes = {
  files: giveUpOriginals,
  mails: deleteOfMailboxes("mails"),
  mail_imports: deleteOfMailboxes("mail_imports"),
  mail_suppressions: deleteOfMailboxes("mail_suppressions"),
  mail_folders: deleteOfMailboxes("mail_folders"),
} as const;

/** Some of the imports: there may be as many as mails have ever come in. Returns how many. */
export const deleteSomeImportsOfWidget = statement<OfWidget & { limit: number }>((db, param) =>
  db
    .deleteFrom("mail_imports")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("account_id", "key"),
        "in",
        selectFrom("mail_imports as found")
          .innerJoin("channel_accounts", (join) =>
            join
              .onRef("channel_accounts.team_id", "=", "found.team_id")
              .onRef("channel_accounts.id", "=", "found.account_id"),
          )
          .select(["found.account_id", "found.key"])
          .where("found.team_id", "=", param("team_id"))
          .where("channel_accounts.home_widget_id", "=", param("widget_id"))
          .limit(param("limit"))
          .$asTuple("account_id", "key"),
      ),
    ),
);

/** Its own and the deleted ones of other channels. */
export const deleteAccountsOfWidget = statement<OfWidget>((db, param) =>
  db
    .deleteFrom("channel_accounts")
    .where("team_id", "=", param("team_id"))
    .where("home_widget_id", "=", param("widget_id")),
);

export const someContactsOfWidget = statement<
  OfWidget & { limit: number },
  Pick<ContactRow, "id" | "conversation_count">
>((db, param) =>
  db
    .selectFrom("contacts")
    .select(["id", "conversation_count"])
    .where("team_id", "=", param("team_id"))
    .where("widget_id", "=", param("widget_id"))
    .orderBy("id")
    .limit(param("limit")),
);

/** The erasure of a removed widget, while it is under way. */
export const erasureOfWidget = statement<OfWidget, ErasureRow>((db, param) =>
  db
    .selectFrom("erasures")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("widget_id", "=", param("widget_id"))
    .where("finished_at", "is", null),
);
