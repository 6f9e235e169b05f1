import { type RawBuilder, type SqlBool, sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { DeliveryAttemptRow, DeliveryRow, EventRow } from "../storage/tables.ts";
import type { SomeDeliveries } from "./delivery-store.ts";

interface OfWebhook {
  team_id: string;
  webhook_id: string;
}

/** null: no filter */
interface Filter extends OfWebhook {
  state: string | null;
  event: string | null;
}

/** Newest event first. */
export const deliveryPage = statement<Filter & { limit: number; offset: number }, DeliveryRow>((db, param) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "=", sql<string>`coalesce(${param("state")}, state)`)
    .where("event_name", "=", sql<string>`coalesce(${param("event")}, event_name)`)
    .orderBy("event_number", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const deliveryTotal = statement<Filter, { total: number }>((db, param) =>
  db
    .selectFrom("deliveries")
    .select(sql<number>`count(*)`.as("total"))
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "=", sql<string>`coalesce(${param("state")}, state)`)
    .where("event_name", "=", sql<string>`coalesce(${param("event")}, event_name)`),
);

export const deliveryByEvent = statement<OfWebhook & { event_id: string }, DeliveryRow>((db, param) =>
  db
    .selectFrom("deliveries")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_id", "=", param("event_id")),
);

export type DeliveryWithBody = DeliveryRow & Pick<EventRow, "data" | "occurred_at" | "version">;

/** A delivery with what its body is made of. */
export const deliveryWithBody = statement<OfWebhook & { event_id: string }, DeliveryWithBody>((db, param) =>
  db
    .selectFrom("deliveries")
    .innerJoin("events", (join) =>
      join.onRef("events.team_id", "=", "deliveries.team_id").onRef("events.number", "=", "deliveries.event_number"),
    )
    .selectAll("deliveries")
    .select(["data", "occurred_at", "version"])
    .where("deliveries.team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_id", "=", param("event_id")),
);

export type ShortAttemptRow = Omit<DeliveryAttemptRow, "response_head" | "response_body">;

/** The attempts of some deliveries, oldest first, without what came back. */
export const attemptsOf = statement<SomeDeliveries, ShortAttemptRow>((db, param, dialect) =>
  db
    .selectFrom("delivery_attempts")
    .select([
      "team_id",
      "webhook_id",
      "event_number",
      "id",
      "attempt",
      "endpoint_url",
      "started_at",
      "duration_ms",
      "outcome",
      "error",
      "status",
    ])
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", ">=", param("least"))
    .where("event_number", "<=", param("most"))
    .where((row) => dialect.isInNumbers(row.ref("event_number"), param("event_numbers")))
    .orderBy("event_number")
    .orderBy("id"),
);

/** All attempts of one delivery, oldest first. */
export const attemptLog = statement<OfWebhook & { event_number: number }, DeliveryAttemptRow>((db, param) =>
  db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", "=", param("event_number"))
    .orderBy("id"),
);

export const replayDeliveryRow = statement<OfWebhook & { event_number: number; run_at: number }>((db, param) =>
  db
    .updateTable("deliveries")
    .set({ state: "waiting", attempt: 1, run_at: param("run_at"), claim_id: null, ended_at: null })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("event_number", "=", param("event_number")),
);

export const replayFailedRows = statement<OfWebhook & { since: number; run_at: number }>((db, param) =>
  db
    .updateTable("deliveries")
    .set({ state: "waiting", attempt: 1, run_at: param("run_at"), claim_id: null, ended_at: null })
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "in", [sql.lit("failed"), sql.lit("stopped")])
    .where("created_at", ">=", param("since")),
);

/** The names of the events that `replayFailedRows` would queue, each once. */
export const eventsOfFailedRows = statement<OfWebhook & { since: number }, { event_name: string }>((db, param) =>
  db
    .selectFrom("deliveries")
    .select("event_name")
    .distinct()
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "=", param("webhook_id"))
    .where("state", "in", [sql.lit("failed"), sql.lit("stopped")])
    .where("created_at", ">=", param("since")),
);

/** Which deliveries have had their time; times in ms. Those of a subscription that is gone have had it in any case. */
export interface OldDeliveries {
  /** Delivered ones that ended then or earlier. */
  delivered_before: number;
  /** Failed and stopped ones that ended then or earlier. */
  failed_before: number;
}

/** The teams that have old deliveries, each once. */
export const teamsWithOldDeliveries = statement<OldDeliveries, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("deliveries")
          .select(val(1).as("one"))
          .whereRef("deliveries.team_id", "=", "teams.team_id")
          .where(isOld(param)),
      ),
    ),
);

/** Deletes old deliveries of the team with their attempts, at most `limit` of them. */
export const deleteOldDeliveries = statement<OldDeliveries & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("deliveries")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("webhook_id", "event_number"),
        "in",
        selectFrom("deliveries")
          .select(["webhook_id", "event_number"])
          .where("team_id", "=", param("team_id"))
          .where(isOld(param))
          .limit(param("limit"))
          .$asTuple("webhook_id", "event_number"),
      ),
    ),
);

const isOld = (param: <K extends keyof OldDeliveries>(name: K) => RawBuilder<OldDeliveries[K]>) =>
  sql<SqlBool>`(
    (state = 'delivered' and ended_at <= ${param("delivered_before")})
    or (state in ('failed', 'stopped') and ended_at <= ${param("failed_before")})
    or not exists (
      select 1 from webhooks where webhooks.team_id = deliveries.team_id and webhooks.id = deliveries.webhook_id
    )
  )`;

/**
 * Queues of subscriptions that are gone. One that has an owner is left alone until its lease is long over: whoever removed
 * the subscription waits for that owner to let go.
 */
export interface LeftQueues {
  /** ms; a lease that ended before is nobody's any more. */
  lease_before: number;
}

/** The teams that have such queues, each once. */
export const teamsWithLeftQueues = statement<LeftQueues, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("delivery_queues")
          .select(val(1).as("one"))
          .whereRef("delivery_queues.team_id", "=", "teams.team_id")
          .where(isLeft(param)),
      ),
    ),
);

/** Deletes such queues of the team, at most `limit` of them. */
export const deleteLeftQueues = statement<LeftQueues & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("delivery_queues")
    .where("team_id", "=", param("team_id"))
    .where("webhook_id", "in", (some) =>
      some
        .selectFrom("delivery_queues")
        .select("webhook_id")
        .where("team_id", "=", param("team_id"))
        .where(isLeft(param))
        .limit(param("limit")),
    ),
);

const isLeft = (param: <K extends keyof LeftQueues>(name: K) => RawBuilder<LeftQueues[K]>) =>
  sql<SqlBool>`(owner_id is null or lease_until < ${param("lease_before")}) and not exists (
    select 1 from webhooks
    where webhooks.team_id = delivery_queues.team_id and webhooks.id = delivery_queues.webhook_id
  )`;
