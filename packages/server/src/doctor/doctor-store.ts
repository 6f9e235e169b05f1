import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { ChannelAccountRow, OutboxQueueRow, WebhookRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

/** When the team's newest event happened. */
export const newestEvent = statement<OfTeam, { occurred_at: number }>((db, param) =>
  db
    .selectFrom("events")
    .select("occurred_at")
    .where("team_id", "=", param("team_id"))
    .orderBy("number", "desc")
    .limit(1),
);

/** How many jobs of each kind have failed, and why the last one did. */
export const failedJobs = statement<OfTeam, { kind: string; total: number; last_error: string | null }>((db, param) =>
  db
    .selectFrom("jobs")
    .select((row) => ["kind", row.fn.countAll<number>().as("total"), row.fn.max("last_error").as("last_error")])
    .where("team_id", "=", param("team_id"))
    .where("state", "=", "failed")
    .groupBy("kind")
    .orderBy("kind"),
);

/** The same of timers, over all teams: the index has only failed ones. */
export const failedTimers = statement<Record<never, never>, { kind: string; total: number; last_error: string | null }>(
  (db) =>
    db
      .selectFrom("timers")
      .select((row) => ["kind", row.fn.countAll<number>().as("total"), row.fn.max("last_error").as("last_error")])
      .where("failed_at", "is not", null)
      .groupBy("kind")
      .orderBy("kind"),
);

/** Active subscriptions whose last attempts, at least `failures` of them, have all failed. */
export const failingWebhooks = statement<
  OfTeam & { failures: number },
  Pick<WebhookRow, "name" | "endpoint_url"> & Pick<OutboxQueueRow, "failures" | "failing_since" | "last_error">
>((db, param) =>
  db
    .selectFrom("outbox_queues")
    .innerJoin("webhooks", (join) =>
      join.onRef("webhooks.team_id", "=", "outbox_queues.team_id").onRef("webhooks.id", "=", "outbox_queues.queue_id"),
    )
    .select(["name", "endpoint_url", "failures", "failing_since", "last_error"])
    .where("outbox_queues.team_id", "=", param("team_id"))
    .where("webhooks.is_active", "=", 1)
    .where("failures", ">=", param("failures"))
    .orderBy("failing_since"),
);

type Channel = Pick<ChannelAccountRow, "name" | "provider_key">;

/** Accounts that can't receive or send as they are. */
export const troubledChannels = statement<OfTeam, Channel & Pick<ChannelAccountRow, "state" | "state_reason">>(
  (db, param) =>
    db
      .selectFrom("channel_accounts")
      .select(["name", "provider_key", "state", "state_reason"])
      .where("team_id", "=", param("team_id"))
      .where("deleted_at", "is", null)
      .where("state", "in", [sql.lit("needs-sign-in"), sql.lit("failing")])
      .orderBy("created_at"),
);

/** The mailboxes that mails are sent from and received in, the oldest first. */
export const activeMailboxes = statement<OfTeam, ChannelAccountRow>((db, param) =>
  db
    .selectFrom("channel_accounts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("channel", "=", sql.lit("email"))
    .where("deleted_at", "is", null)
    .where("state", "=", sql.lit("active"))
    .orderBy("created_at")
    .orderBy("id"),
);

/** How many mails of each account could not be imported; of a deleted one, none can be any more. */
export const failedMails = statement<OfTeam, Channel & { total: number }>((db, param) =>
  db
    .selectFrom("mail_imports")
    .innerJoin("channel_accounts", (join) =>
      join
        .onRef("channel_accounts.team_id", "=", "mail_imports.team_id")
        .onRef("channel_accounts.id", "=", "mail_imports.account_id"),
    )
    .select((row) => ["name", "provider_key", row.fn.countAll<number>().as("total")])
    .where("mail_imports.team_id", "=", param("team_id"))
    .where("channel_accounts.deleted_at", "is", null)
    // As in the index.
    .where("mail_imports.message_id", "is", null)
    .where("mail_imports.raw_file", "is not", null)
    .where("mail_imports.state", "=", sql.lit("failed"))
    .groupBy(["channel_accounts.id", "name", "provider_key"])
    .orderBy("provider_key"),
);
