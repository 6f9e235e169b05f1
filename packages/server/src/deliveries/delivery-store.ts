import { type RawBuilder, sql } from "kysely";
import { type Dialect, type ListedType, numbersParam, rowsParam } from "../storage/dialect.ts";
import { every, statement, wholeRow } from "../storage/statement.ts";
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

/** Nobody sends any more, in no team: the queues that had an owner are left to whoever looks next. */
export const endLeases = statement<Record<never, never>>((db) =>
  db.updateTable("delivery_queues").set({ lease_until: 0 }).where("owner_id", "is not", null),
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
    .values(wholeRow(param, "delivery_queues"))
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

/**
 * First attempts, in the order of the events. Read from the index alone. Without `from`, where to begin, PostgreSQL goes
 * through what has left the queue since its last vacuum: 1.8 ms behind 8,000 that are delivered, and 0.1 ms so.
 */
export const firstAttemptsDue = statement<OfWebhook & { from: number; limit: number }, DueDelivery>((db, param) =>
  db
    .selectFrom("deliveries")
    .select(["event_number", "conversation_id"])
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "=", sql.lit("waiting"))
    .where("run_at", "=", sql.lit(0))
    .where("event_number", ">=", param("from"))
    .orderBy("event_number")
    .limit(param("limit")),
);

/** The same without those of some conversations, for when these fill all that was looked at. `but` is made by `listParam`. */
export const firstAttemptsOfOthers = statement<OfWebhook & { from: number; limit: number; but: string }, DueDelivery>(
  (db, param, dialect) =>
    db
      .selectFrom("deliveries")
      .select(["event_number", "conversation_id"])
      .where("team_id", "=", param("team_id"))
      .where("webhook_id", "=", param("webhook_id"))
      .where("state", "=", sql.lit("waiting"))
      .where("run_at", "=", sql.lit(0))
      .where("event_number", ">=", param("from"))
      .where((row) =>
        row.or([row("conversation_id", "is", null), row.not(dialect.isIn(row.ref("conversation_id"), param("but")))]),
      )
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

/**
 * Rows of a list for some deliveries of a queue; `least` and `most` as in `SomeDeliveries`. SQLite is told besides, by `in`,
 * to look each of them up: it would go through all from `least` to `most`, and through the list for each (64 rows: 54 µs
 * a row, and 10 µs so; one statement a row takes 6 µs and what it is to be called). PostgreSQL does without.
 */
interface ListedDeliveries extends OfWebhook {
  /** Made by `rowsParam`. */
  rows: string;
  least: number;
  most: number;
}

/** The parameters that give each of some deliveries its row; there is one row at least. */
export function listedDeliveries<Row extends { event_number: number }>(
  rows: readonly Row[],
): Omit<ListedDeliveries, keyof OfWebhook> {
  const numbers = rows.map(({ event_number }) => event_number);
  return { rows: rowsParam(rows), least: Math.min(...numbers), most: Math.max(...numbers) };
}

/** A statement that has the rows of a list as `listed`, which is taken apart once. */
function withListed<Row>(
  db: Dialect["builder"],
  dialect: Dialect,
  rows: RawBuilder<string>,
  columns: Record<keyof Row & string, ListedType>,
) {
  return db.with(
    (cte) => cte("listed").materialized(),
    (query) => query.selectFrom(dialect.listedRows<Row>(rows, columns).as("list")).selectAll(),
  );
}

/** The `del_…` of an attempt that begins. */
export type NewAttempt = Pick<DeliveryAttemptRow, "event_number" | "id">;

/** Writes that attempts begin, each with the number that its delivery says. */
export const insertAttempts = statement<ListedDeliveries & Pick<DeliveryAttemptRow, "endpoint_url" | "started_at">>(
  (db, param, dialect) =>
    withListed<NewAttempt>(db, dialect, param("rows"), { event_number: "integer", id: "text" })
      .insertInto("delivery_attempts")
      .columns(["team_id", "webhook_id", "event_number", "id", "attempt", "endpoint_url", "started_at"])
      .expression((query) =>
        query
          .selectFrom("deliveries")
          .innerJoin("listed", "listed.event_number", "deliveries.event_number")
          .select([
            "deliveries.team_id",
            "deliveries.webhook_id",
            "deliveries.event_number",
            "listed.id",
            "deliveries.attempt",
            param("endpoint_url").as("endpoint_url"),
            param("started_at").as("started_at"),
          ])
          .where("deliveries.team_id", "=", param("team_id"))
          .where("deliveries.webhook_id", "=", param("webhook_id"))
          .where("deliveries.event_number", ">=", param("least"))
          .where("deliveries.event_number", "<=", param("most"))
          // SQLite looks each of them up by this, and would otherwise read the whole list for every delivery of the queue.
          .where("deliveries.event_number", "in", (some) => some.selectFrom("listed").select("listed.event_number")),
      ),
);

/** How an attempt ended. */
export type AttemptEnd = Omit<DeliveryAttemptRow, "team_id" | "webhook_id" | "attempt" | "endpoint_url" | "started_at">;

/** How attempts ended. Always written, for the log; what becomes of the deliveries is `endAttempts`' to say. */
export const writeAttempts = statement<ListedDeliveries>((db, param, dialect) =>
  withListed<AttemptEnd>(db, dialect, param("rows"), {
    event_number: "integer",
    id: "text",
    duration_ms: "integer",
    outcome: "text",
    error: "text",
    status: "integer",
    response_head: "text",
    response_body: "text",
  })
    .updateTable("delivery_attempts")
    .from("listed")
    .set((row) => ({
      duration_ms: row.ref("listed.duration_ms"),
      outcome: row.ref("listed.outcome"),
      error: row.ref("listed.error"),
      status: row.ref("listed.status"),
      response_head: row.ref("listed.response_head"),
      response_body: row.ref("listed.response_body"),
    }))
    .where("delivery_attempts.team_id", "=", param("team_id"))
    .where("delivery_attempts.webhook_id", "=", param("webhook_id"))
    .where("delivery_attempts.event_number", ">=", param("least"))
    .where("delivery_attempts.event_number", "<=", param("most"))
    .$if(dialect.engine === "sqlite", (rows) =>
      rows.where("delivery_attempts.event_number", "in", (some) =>
        some.selectFrom("listed").select("listed.event_number"),
      ),
    )
    .whereRef("delivery_attempts.event_number", "=", "listed.event_number")
    .whereRef("delivery_attempts.id", "=", "listed.id"),
);

/** Takes back that attempts began: nothing of them was sent. */
export const deleteAttempts = statement<ListedDeliveries>((db, param, dialect) =>
  db
    .deleteFrom("delivery_attempts")
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", ">=", param("least"))
    .where("event_number", "<=", param("most"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("event_number", "id"),
        "in",
        selectFrom(dialect.listedRows<NewAttempt>(param("rows"), { event_number: "integer", id: "text" }).as("listed"))
          .select(["listed.event_number", "listed.id"])
          .$asTuple("event_number", "id"),
      ),
    ),
);

/** What becomes of a delivery after an attempt. */
export type DeliveryEnd = Pick<DeliveryRow, "event_number" | "state" | "attempt" | "ended_at"> & {
  claim_id: string;
  /** Null: when it was due before. */
  run_at: number | null;
};

/** What becomes of deliveries after an attempt, unless they have been claimed anew or stopped meanwhile (compare and set). */
export const endAttempts = statement<ListedDeliveries>((db, param, dialect) =>
  withListed<DeliveryEnd>(db, dialect, param("rows"), {
    event_number: "integer",
    claim_id: "id",
    state: "text",
    attempt: "integer",
    run_at: "integer",
    ended_at: "integer",
  })
    .updateTable("deliveries")
    .from("listed")
    .set((row) => ({
      state: row.ref("listed.state"),
      attempt: row.ref("listed.attempt"),
      run_at: row.fn.coalesce("listed.run_at", "deliveries.run_at"),
      ended_at: row.ref("listed.ended_at"),
      claim_id: null,
    }))
    .where("deliveries.team_id", "=", param("team_id"))
    .where("deliveries.webhook_id", "=", param("webhook_id"))
    .where("deliveries.event_number", ">=", param("least"))
    .where("deliveries.event_number", "<=", param("most"))
    .$if(dialect.engine === "sqlite", (rows) =>
      rows.where("deliveries.event_number", "in", (some) => some.selectFrom("listed").select("listed.event_number")),
    )
    .whereRef("deliveries.event_number", "=", "listed.event_number")
    .whereRef("deliveries.claim_id", "=", "listed.claim_id"),
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
