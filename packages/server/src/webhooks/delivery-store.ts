import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { WebhookRow } from "../storage/tables.ts";

interface NewDeliveries {
  team_id: string;
  /** How many of the commit's events follow this one. */
  before_last: number;
  event_id: string;
  event_name: string;
  /** The name in quotation marks, as in a subscription's list. */
  quoted_name: string;
  conversation_id: string | null;
  attempts: number;
  created_at: number;
}

/**
 * Adds an event that was just stored to the queue of each active subscription that names it; returns which. The number is read
 * in the statement itself, as `insertEvent` does.
 */
export const queueEvent = statement<NewDeliveries, { queue_id: string }>((db, param, dialect) =>
  db
    .insertInto("outbox_items")
    .columns([
      "team_id",
      "queue_id",
      "event_number",
      "receiver",
      "event_id",
      "event_name",
      "order_key",
      "state",
      "attempt",
      "last_attempt",
      "run_at",
      "created_at",
    ])
    .expression((query) =>
      query
        .selectFrom("webhooks")
        .innerJoin("team_counters", "team_counters.team_id", "webhooks.team_id")
        .select((row) => [
          "webhooks.team_id",
          "webhooks.id",
          sql<number>`${row.ref("event_number")} - ${param("before_last")}`.as("event_number"),
          sql<string>`'webhook'`.as("receiver"),
          param("event_id").as("event_id"),
          param("event_name").as("event_name"),
          param("conversation_id").as("order_key"),
          sql<string>`'waiting'`.as("state"),
          sql<number>`1`.as("attempt"),
          param("attempts").as("last_attempt"),
          sql<number>`0`.as("run_at"),
          param("created_at").as("created_at"),
        ])
        .where("webhooks.team_id", "=", param("team_id"))
        .where("webhooks.is_active", "=", 1)
        .where((row) => dialect.holds(row.ref("webhooks.events"), param("quoted_name"))),
    )
    .returning("queue_id"),
);

/** Adds an event that was just stored to one queue, under the name of the event that it shows, for one attempt. */
export const queueTestEvent = statement<
  Pick<NewDeliveries, "team_id" | "before_last" | "event_id" | "event_name" | "created_at"> & { queue_id: string }
>((db, param) =>
  db
    .insertInto("outbox_items")
    .columns([
      "team_id",
      "queue_id",
      "event_number",
      "receiver",
      "event_id",
      "event_name",
      "state",
      "attempt",
      "last_attempt",
      "run_at",
      "created_at",
    ])
    .expression((query) =>
      query
        .selectFrom("team_counters")
        .select((row) => [
          "team_counters.team_id",
          param("queue_id").as("queue_id"),
          sql<number>`${row.ref("event_number")} - ${param("before_last")}`.as("event_number"),
          sql<string>`'webhook'`.as("receiver"),
          param("event_id").as("event_id"),
          param("event_name").as("event_name"),
          sql<string>`'waiting'`.as("state"),
          sql<number>`1`.as("attempt"),
          sql<number>`1`.as("last_attempt"),
          sql<number>`0`.as("run_at"),
          param("created_at").as("created_at"),
        ])
        .where("team_counters.team_id", "=", param("team_id")),
    ),
);

/** The part of a subscription that an attempt needs, while it exists and is active. */
export type SendingWebhook = Pick<
  WebhookRow,
  "endpoint_url" | "secret_sealed" | "next_secret_sealed" | "next_secret_at"
>;

export const webhookToSend = statement<{ team_id: string; id: string }, SendingWebhook>((db, param) =>
  db
    .selectFrom("webhooks")
    .select(["endpoint_url", "secret_sealed", "next_secret_sealed", "next_secret_at"])
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("is_active", "=", 1),
);
