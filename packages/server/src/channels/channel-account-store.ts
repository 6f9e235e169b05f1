import { WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import { sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import type { ChannelAccountState } from "./channel-account.ts";

/** In other states replies wait: something they need is missing, or an admin has paused the account. */
const sendingStates = (["active", "failing"] satisfies ChannelAccountState[]).map((state) => sql.lit(state));

type ById = Pick<ChannelAccountRow, "team_id" | "id">;

export const insertChannelAccount = statement<ChannelAccountRow>((db, param) =>
  db.insertInto("channel_accounts").values(wholeRow(param, "channel_accounts")),
);

/** An account with the name of its home widget. */
export const channelAccountById = statement<ById, ChannelAccountRow & { home_widget_name: string | null }>(
  (db, param) =>
    db
      .selectFrom("channel_accounts")
      .innerJoin("widgets", (join) =>
        join
          .onRef("widgets.team_id", "=", "channel_accounts.team_id")
          .onRef("widgets.id", "=", "channel_accounts.home_widget_id"),
      )
      .selectAll("channel_accounts")
      .select("widgets.name as home_widget_name")
      .where("channel_accounts.team_id", "=", param("team_id"))
      .where("channel_accounts.id", "=", param("id")),
);

/** What is wrong with an account, and its state. */
export type AccountTrouble = Pick<ChannelAccountRow, "state" | "state_reason" | "state_reason_named">;

export const updateAccountState = statement<ById & AccountTrouble>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set(every(param, ["state", "state_reason", "state_reason_named"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Accounts that cannot receive or send as they are, the oldest first. */
export const accountsInTrouble = statement<{ team_id: string }, Pick<ChannelAccountRow, "id"> & AccountTrouble>(
  (db, param) =>
    db
      .selectFrom("channel_accounts")
      .select(["id", "state", "state_reason", "state_reason_named"])
      .where("team_id", "=", param("team_id"))
      .where("deleted_at", "is", null)
      .where("state", "in", [sql.lit("needs-sign-in"), sql.lit("failing")])
      .orderBy("created_at"),
);

/** Notes that something was received; unchanged when that was noted at `before` or later. */
export const markAccountReceived = statement<ById & { last_received_at: number; before: number }>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set({ last_received_at: param("last_received_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where((row) => row.or([row("last_received_at", "is", null), row("last_received_at", "<", param("before"))])),
);

/** The part of an account that sending a reply needs. */
export type SendingAccount = Pick<
  ChannelAccountRow,
  "team_id" | "id" | "channel" | "provider_key" | "settings" | "secrets_sealed"
>;

/** An account that is not deleted, and in a state in which replies are sent. */
export const accountToSend = statement<ById, SendingAccount>((db, param) =>
  db
    .selectFrom("channel_accounts")
    .select(["team_id", "id", "channel", "provider_key", "settings", "secrets_sealed"])
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "in", sendingStates)
    .where("deleted_at", "is", null),
);

/** Notes that something was sent; unchanged when that was noted at `before` or later. */
export const markAccountSent = statement<ById & { last_sent_at: number; before: number }>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set({ last_sent_at: param("last_sent_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where((row) => row.or([row("last_sent_at", "is", null), row("last_sent_at", "<", param("before"))])),
);

/** The provider's name of an account. */
export interface ProviderName {
  channel: string;
  provider_key: string;
}

/** Registers a provider's account for this team; changes nothing when it is registered already, by this team or another. */
export const insertIntoDirectory = statement<ProviderName & { team_id: string; account_id: string }>((db, param) =>
  db
    .insertInto("channel_directory")
    .values(wholeRow(param, "channel_directory"))
    .onConflict((conflict) => conflict.doNothing()),
);

/** Finds the team of an account: a provider names its account and nothing else. */
export const accountInDirectory = statement<ProviderName, { team_id: string; account_id: string }>((db, param) =>
  db
    .selectFrom("channel_directory")
    .select(["team_id", "account_id"])
    .where("channel", "=", param("channel"))
    .where("provider_key", "=", param("provider_key")),
);

/** Without the accounts of widgets; oldest first. */
export const accountPage = statement<{ team_id: string; limit: number; offset: number }, ChannelAccountRow>(
  (db, param) =>
    db
      .selectFrom("channel_accounts")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where("channel", "<>", sql.lit(WIDGET_CHANNEL))
      .where("deleted_at", "is", null)
      .orderBy("created_at")
      .orderBy("id")
      .limit(param("limit"))
      .offset(param("offset")),
);

/** Accounts are few: counted when they are listed. */
export const accountTotal = statement<{ team_id: string }, { total: number }>((db, param) =>
  db
    .selectFrom("channel_accounts")
    .select(sql<number>`count(*)`.as("total"))
    .where("team_id", "=", param("team_id"))
    .where("channel", "<>", sql.lit(WIDGET_CHANNEL))
    .where("deleted_at", "is", null),
);

/** The settings of the team's accounts of a channel. */
export const accountsOfChannel = statement<
  { team_id: string; channel: string },
  Pick<ChannelAccountRow, "id" | "provider_key" | "settings" | "state" | "home_widget_id">
>((db, param) =>
  db
    .selectFrom("channel_accounts")
    .select(["id", "provider_key", "settings", "state", "home_widget_id"])
    .where("team_id", "=", param("team_id"))
    .where("channel", "=", param("channel"))
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id"),
);

export const updateChannelAccount = statement<
  ById & Pick<ChannelAccountRow, "name" | "provider_key" | "settings" | "secrets_sealed">
>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set(every(param, ["name", "provider_key", "settings", "secrets_sealed"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The row stays, for its conversations; its secrets go. */
export const endChannelAccount = statement<ById & { deleted_at: number }>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set({ deleted_at: param("deleted_at"), secrets_sealed: null })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

type OfAccount = { team_id: string; account_id: string };

export const deleteFromDirectory = statement<OfAccount>((db, param) =>
  db
    .deleteFrom("channel_directory")
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id")),
);

export const insertDoor = statement<OfAccount & { secret_hash: string }>((db, param) =>
  db
    .insertInto("channel_doors")
    .values(wholeRow(param, "channel_doors"))
    .onConflict((conflict) => conflict.doNothing()),
);

export const deleteDoors = statement<OfAccount>((db, param) =>
  db.deleteFrom("channel_doors").where("team_id", "=", param("team_id")).where("account_id", "=", param("account_id")),
);

/** The account of a callback secret; the only thing that such a request has. */
export const accountOfDoor = statement<{ secret_hash: string }, OfAccount>((db, param) =>
  db.selectFrom("channel_doors").select(["team_id", "account_id"]).where("secret_hash", "=", param("secret_hash")),
);
