import { sql } from "kysely";
import { numbersParam } from "../storage/dialect.ts";
import { every, statement } from "../storage/statement.ts";
import type { DeliveryAttemptRow, DeliveryQueueRow, DeliveryRow, EventRow, WebhookRow } from "../storage/tables.ts";
import { REPLAY_RUN_AT } from "./delivery.ts";

interface OfWebhook {
  team_id: string;
  webhook_id: string;
}

interface NewDeliveries {
  team_id: string;
  /** How many of the commit's events come after this one. */
  before_last: number;
  event_id: string;
  event_name: string;
  /** The name in quotation marks, as it stands in a subscription's list. */
  quoted_name: string;
  conversation_id: string | null;
  attempts: number;
  created_at: number;
}

/**
 * Lays an event that has just been stored into the queue of each active subscription that names it; answers which.
 * The number is read in the statement itself, as `insertEvent` does.
 */
export const queueEvent = statement<NewDeliveries, { webhook_id: string }>((db, param, dialect) =>
  db
    .insertInto("deliveries")
    .columns([
      "team_id",
      "webhook_id",
      "event_number",
      "event_id",
      "event_name",
      "conversation_id",
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
          param("event_id").as("event_id"),
          param("event_name").as("event_name"),
          param("conversation_id").as("conversation_id"),
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
    .returning("webhook_id"),
);

/** Lays an event that has just been stored into one queue, under the name of the event that it shows, for one attempt. */
export const queueTestEvent = statement<
  Pick<NewDeliveries, "team_id" | "before_last" | "event_id" | "event_name" | "created_at"> & { webhook_id: string }
>((db, param) =>
  db.insertInto("deliveries").values({
    ...every(param, ["team_id", "webhook_id", "event_id", "event_name", "created_at"]),
    event_number: db
      .selectFrom("team_counters")
      .select((row) => sql<number>`${row.ref("event_number")} - ${param("before_last")}`.as("number"))
      .where("team_id", "=", param("team_id")),
    state: "waiting",
    attempt: 1,
    last_attempt: 1,
    run_at: 0,
  }),
);

/**
 * The subscriptions of all teams that have something due, or whose sender has died.
 *
 * `far`, `lease_far`: times that nothing can lie behind unless the clock was set back meanwhile; then it is due as well.
 */
export const queuesWithWork = statement<{ now: number; far: number; lease_far: number }, OfWebhook>((db, param) =>
  db
    .selectFrom("webhooks")
    .select(["webhooks.team_id", "webhooks.id as webhook_id"])
    .where("webhooks.is_active", "=", 1)
    .where((row) =>
      row.or([
        row.exists(
          row
            .selectFrom("deliveries")
            .select("event_number")
            .whereRef("deliveries.team_id", "=", "webhooks.team_id")
            .whereRef("deliveries.webhook_id", "=", "webhooks.id")
            .where("state", "=", sql.lit("waiting"))
            .where("run_at", "<=", param("now")),
        ),
        row.exists(
          row
            .selectFrom("deliveries")
            .select("event_number")
            .whereRef("deliveries.team_id", "=", "webhooks.team_id")
            .whereRef("deliveries.webhook_id", "=", "webhooks.id")
            .where("state", "=", sql.lit("waiting"))
            .where("run_at", ">", param("far")),
        ),
        row.exists(
          row
            .selectFrom("delivery_queues")
            .select("failures")
            .whereRef("delivery_queues.team_id", "=", "webhooks.team_id")
            .whereRef("delivery_queues.webhook_id", "=", "webhooks.id")
            .where("owner_id", "is not", null)
            .where((lease) =>
              lease.or([lease("lease_until", "<=", param("now")), lease("lease_until", ">", param("lease_far"))]),
            ),
        ),
      ]),
    ),
);

/** A subscription with the state of its queue, which is null before its first delivery. */
export type QueueToServe = Pick<
  WebhookRow,
  "endpoint_url" | "is_active" | "secret_sealed" | "next_secret_sealed" | "next_secret_at"
> & { [Column in Exclude<keyof DeliveryQueueRow, keyof OfWebhook>]: DeliveryQueueRow[Column] | null };

export const queueToServe = statement<OfWebhook, QueueToServe>((db, param) =>
  db
    .selectFrom("webhooks")
    .leftJoin("delivery_queues", (join) =>
      join
        .onRef("delivery_queues.team_id", "=", "webhooks.team_id")
        .onRef("delivery_queues.webhook_id", "=", "webhooks.id"),
    )
    .select([
      "endpoint_url",
      "is_active",
      "secret_sealed",
      "next_secret_sealed",
      "next_secret_at",
      "owner_id",
      "lease_until",
      "failures",
      "failing_since",
      "last_error",
      "last_delivered_at",
    ])
    .where("webhooks.team_id", "=", param("team_id"))
    .where("webhooks.id", "=", param("webhook_id")),
);

export const queueState = statement<OfWebhook, DeliveryQueueRow>((db, param) =>
  db
    .selectFrom("delivery_queues")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id")),
);

export const writeQueue = statement<DeliveryQueueRow>((db, param) => {
  const changing = ["owner_id", "lease_until", "failures", "failing_since", "last_error", "last_delivered_at"] as const;
  return db
    .insertInto("delivery_queues")
    .values(every(param, ["team_id", "webhook_id", ...changing]))
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "webhook_id"])
        .doUpdateSet((row) => Object.fromEntries(changing.map((column) => [column, row.ref(`excluded.${column}`)]))),
    );
});

/** Gives the queue of a subscription that is off or gone back, if it is this owner's. */
export const leaveQueue = statement<OfWebhook & { owner_id: string }>((db, param) =>
  db
    .updateTable("delivery_queues")
    .set({ owner_id: null })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("owner_id", "=", param("owner_id")),
);

export type DueDelivery = Pick<DeliveryRow, "event_number" | "conversation_id">;

/** First attempts, in the order of the events. Read from the index alone. */
export const firstAttemptsDue = statement<OfWebhook & { limit: number }, DueDelivery>((db, param) =>
  db
    .selectFrom("deliveries")
    .select(["event_number", "conversation_id"])
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "=", sql.lit("waiting"))
    .where("run_at", "=", sql.lit(0))
    .orderBy("event_number")
    .limit(param("limit")),
);

/** Retries and replays that are due, the longest due first; then what lies impossibly far ahead (`queuesWithWork`). */
export const retriesDue = statement<OfWebhook & { now: number; far: number; limit: number }, DueDelivery>((db, param) =>
  db
    .selectFrom("deliveries")
    .select(["event_number", "conversation_id"])
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "=", sql.lit("waiting"))
    .where("run_at", ">", sql.lit(0))
    .where((row) => row.or([row("run_at", "<=", param("now")), row("run_at", ">", param("far"))]))
    .orderBy("run_at")
    .orderBy("event_number")
    .limit(param("limit")),
);

/**
 * Some deliveries of a queue. `event_numbers` is made by `numbersParam`; `least` and `most` of them bound the search, because
 * PostgreSQL does not look into the list, and would read the whole queue.
 */
export interface SomeDeliveries extends OfWebhook {
  event_numbers: string;
  least: number;
  most: number;
}

/** The parameters that name some deliveries; `numbers` is not empty. */
export function someDeliveries(numbers: readonly number[]): Omit<SomeDeliveries, keyof OfWebhook> {
  return { event_numbers: numbersParam(numbers), least: Math.min(...numbers), most: Math.max(...numbers) };
}

export const claimDeliveries = statement<SomeDeliveries & { claim_id: string }>((db, param, dialect) =>
  db
    .updateTable("deliveries")
    .set({ state: "sending", claim_id: param("claim_id") })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", ">=", param("least"))
    .where("event_number", "<=", param("most"))
    .where((row) => dialect.isInNumbers(row.ref("event_number"), param("event_numbers"))),
);

export type ClaimedRow = Pick<
  DeliveryRow,
  "event_number" | "event_id" | "event_name" | "conversation_id" | "attempt" | "last_attempt"
> &
  Pick<EventRow, "data" | "occurred_at" | "version">;

/** Deliveries with what is sent, in the order of the events. */
export const deliveriesToSend = statement<SomeDeliveries, ClaimedRow>((db, param, dialect) =>
  db
    .selectFrom("deliveries")
    .innerJoin("events", (join) =>
      join.onRef("events.team_id", "=", "deliveries.team_id").onRef("events.number", "=", "deliveries.event_number"),
    )
    .select([
      "event_number",
      "event_id",
      "event_name",
      "deliveries.conversation_id",
      "attempt",
      "last_attempt",
      "data",
      "occurred_at",
      "version",
    ])
    .where("deliveries.team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", ">=", param("least"))
    .where("event_number", "<=", param("most"))
    .where((row) => dialect.isInNumbers(row.ref("event_number"), param("event_numbers")))
    .orderBy("event_number"),
);

/**
 * What a process that died had under way is due again, under the same attempt number. `but`: the event numbers of what is
 * under way after all, made by `numbersParam`.
 */
export const releaseClaims = statement<OfWebhook & { but: string }>((db, param, dialect) =>
  db
    .updateTable("deliveries")
    .set({ state: "waiting", claim_id: null })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "=", sql.lit("sending"))
    .where((row) => row.not(dialect.isInNumbers(row.ref("event_number"), param("but")))),
);

export const insertAttempt = statement<
  Pick<DeliveryAttemptRow, "team_id" | "webhook_id" | "event_number" | "id" | "attempt" | "endpoint_url" | "started_at">
>((db, param) =>
  db
    .insertInto("delivery_attempts")
    .values(every(param, ["team_id", "webhook_id", "event_number", "id", "attempt", "endpoint_url", "started_at"])),
);

/** How an attempt ended. Always written, for the log; what becomes of the delivery is `endAttempt`'s to say. */
export const writeAttempt = statement<Omit<DeliveryAttemptRow, "attempt" | "endpoint_url" | "started_at">>(
  (db, param) =>
    db
      .updateTable("delivery_attempts")
      .set(every(param, ["duration_ms", "outcome", "error", "status", "response_head", "response_body"]))
      .where("team_id", "=", param("team_id"))
      .where("webhook_id", "=", param("webhook_id"))
      .where("event_number", "=", param("event_number"))
      .where("id", "=", param("id")),
);

/** What becomes of a delivery after an attempt, unless it has been claimed anew or stopped meanwhile (compare and set). */
export const endAttempt = statement<
  Pick<DeliveryRow, "team_id" | "webhook_id" | "event_number" | "state" | "attempt" | "run_at" | "ended_at"> & {
    claim_id: string;
  }
>((db, param) =>
  db
    .updateTable("deliveries")
    .set({ ...every(param, ["state", "attempt", "run_at", "ended_at"]), claim_id: null })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", "=", param("event_number"))
    .where("claim_id", "=", param("claim_id")),
);

/** Lays a claimed delivery back as it was; it keeps its attempt number (decision 40). */
export const returnDelivery = statement<OfWebhook & { event_number: number; claim_id: string }>((db, param) =>
  db
    .updateTable("deliveries")
    .set({ state: "waiting", claim_id: null })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", "=", param("event_number"))
    .where("claim_id", "=", param("claim_id")),
);

/**
 * How many deliveries of all teams wait, and since when the first of them is due; null when none does. When somebody asked
 * for a replay is not kept, so that replays do not count for the latter.
 */
export const waitingDeliveries = statement<Record<never, never>, { waiting: number; due_since: number | null }>((db) =>
  db
    .selectFrom("deliveries")
    .select([
      sql<number>`count(*)`.as("waiting"),
      sql<number | null>`min(case
        when run_at = 0 then created_at
        when run_at > ${sql.lit(REPLAY_RUN_AT)} then run_at
      end)`.as("due_since"),
    ])
    .where("state", "=", sql.lit("waiting")),
);

/** A row when the subscription is there and active. */
export const isSwitchedOn = statement<OfWebhook, { id: string }>((db, param) =>
  db
    .selectFrom("webhooks")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("webhook_id"))
    .where("is_active", "=", 1),
);

/** A subscription that is switched off keeps nothing queued. */
export const stopDeliveries = statement<OfWebhook & { ended_at: number }>((db, param) =>
  db
    .updateTable("deliveries")
    .set({ state: "stopped", claim_id: null, ended_at: param("ended_at") })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "in", [sql.lit("waiting"), sql.lit("sending")]),
);
