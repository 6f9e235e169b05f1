import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { ERASED_DATA } from "../events/erased-event.ts";
import { type Param, statement } from "../storage/statement.ts";
import type { EventRow, OutboxAttemptRow, OutboxItemRow, Tables } from "../storage/tables.ts";
import type { OfQueue, SomeItems } from "./outbox-store.ts";

/** The states that are sent again when everything undelivered is replayed. */
const REPLAYED_STATES = ["failed", "stopped", "unknown"].map((state) => sql.lit(state));

/** null: no filter */
interface Filter extends OfQueue {
  state: string | null;
  event: string | null;
}

/** Newest event first. */
export const itemPage = statement<Filter & { limit: number; offset: number }, OutboxItemRow>((db, param) =>
  db
    .selectFrom("outbox_items")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("state", "=", sql<string>`coalesce(${param("state")}, state)`)
    .where("event_name", "=", sql<string>`coalesce(${param("event")}, event_name)`)
    .orderBy("event_number", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const itemTotal = statement<Filter, { total: number }>((db, param) =>
  db
    .selectFrom("outbox_items")
    .select(sql<number>`count(*)`.as("total"))
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("state", "=", sql<string>`coalesce(${param("state")}, state)`)
    .where("event_name", "=", sql<string>`coalesce(${param("event")}, event_name)`),
);

export type ItemWithEvent = OutboxItemRow & Pick<EventRow, "data" | "occurred_at" | "version">;

/** An item with the data that its body is made of. */
export const itemWithEvent = statement<OfQueue & { event_id: string }, ItemWithEvent>((db, param) =>
  db
    .selectFrom("outbox_items")
    .innerJoin("events", (join) =>
      join
        .onRef("events.team_id", "=", "outbox_items.team_id")
        .onRef("events.number", "=", "outbox_items.event_number"),
    )
    .selectAll("outbox_items")
    .select(["data", "occurred_at", "version"])
    .where("outbox_items.team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("event_id", "=", param("event_id")),
);

export type ShortAttemptRow = Omit<OutboxAttemptRow, "response_head" | "response_body" | "result">;

/** The attempts of some items, oldest first, without the responses. */
export const attemptsOf = statement<SomeItems, ShortAttemptRow>((db, param, dialect) =>
  db
    .selectFrom("outbox_attempts")
    .select([
      "team_id",
      "queue_id",
      "event_number",
      "id",
      "attempt",
      "address",
      "started_at",
      "duration_ms",
      "outcome",
      "error",
      "status",
    ])
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("event_number", ">=", param("least"))
    .where("event_number", "<=", param("most"))
    .where((row) => dialect.isInNumbers(row.ref("event_number"), param("event_numbers")))
    .orderBy("event_number")
    .orderBy("id"),
);

/** All attempts of one item, oldest first. */
export const attemptLog = statement<OfQueue & { event_number: number }, OutboxAttemptRow>((db, param) =>
  db
    .selectFrom("outbox_attempts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("event_number", "=", param("event_number"))
    .orderBy("id"),
);

export const replayItemRow = statement<OfQueue & { event_number: number; run_at: number }>((db, param) =>
  db
    .updateTable("outbox_items")
    .set({ state: "waiting", attempt: 1, run_at: param("run_at"), claim_id: null, ended_at: null })
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("event_number", "=", param("event_number")),
);

export const replayFailedRows = statement<OfQueue & { since: number; run_at: number }>((db, param) =>
  db
    .updateTable("outbox_items")
    .set({ state: "waiting", attempt: 1, run_at: param("run_at"), claim_id: null, ended_at: null })
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("state", "in", REPLAYED_STATES)
    .where("created_at", ">=", param("since"))
    .where((row) => row.not(row.exists(erasedEvent(row, param)))),
);

/** The names of the events that `replayFailedRows` would queue, each once. */
export const eventsOfFailedRows = statement<OfQueue & { since: number }, { event_name: string }>((db, param) =>
  db
    .selectFrom("outbox_items")
    .select("event_name")
    .distinct()
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("state", "in", REPLAYED_STATES)
    .where("created_at", ">=", param("since"))
    .where((row) => row.not(row.exists(erasedEvent(row, param)))),
);

/** The event of an item, when it was erased: it has no body any more. */
const erasedEvent = (
  { selectFrom, val }: ExpressionBuilder<Tables, "outbox_items">,
  param: Param<Pick<OfQueue, "team_id">>,
) =>
  selectFrom("events")
    .select(val(1).as("one"))
    .where("events.team_id", "=", param("team_id"))
    .whereRef("events.number", "=", "outbox_items.event_number")
    .where("events.data", "=", sql.lit(ERASED_DATA));

/** Which items have expired; times in ms. */
export interface OldItems {
  /** Delivered ones that ended then or earlier. */
  delivered_before: number;
  /** Failed, stopped and unknown ones that ended then or earlier. */
  failed_before: number;
}

/** The teams that have old items, each once. */
export const teamsWithOldItems = statement<OldItems, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("outbox_items")
          .select(val(1).as("one"))
          .whereRef("outbox_items.team_id", "=", "teams.team_id")
          .where(isOld(param)),
      ),
    ),
);

/** Deletes old items of the team with their attempts, at most `limit` of them. */
export const deleteOldItems = statement<OldItems & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("outbox_items")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("queue_id", "event_number"),
        "in",
        selectFrom("outbox_items")
          .select(["queue_id", "event_number"])
          .where("team_id", "=", param("team_id"))
          .where(isOld(param))
          .limit(param("limit"))
          .$asTuple("queue_id", "event_number"),
      ),
    ),
);

const isOld = (param: <K extends keyof OldItems>(name: K) => RawBuilder<OldItems[K]>) =>
  sql<SqlBool>`(
    (state = 'delivered' and ended_at <= ${param("delivered_before")})
    or (state in ('failed', 'stopped', 'unknown') and ended_at <= ${param("failed_before")})
  )`;

/** Leaves a queue and its items to the clean-up: the resource that it belonged to is gone. */
export const removeQueue = statement<OfQueue & { removed_at: number }>((db, param) =>
  db
    .updateTable("outbox_queues")
    .set({ removed_at: param("removed_at") })
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id")),
);

/** The teams that have removed queues, each once. */
export const teamsWithRemovedQueues = statement<Record<never, never>, { team_id: string }>((db) =>
  db.selectFrom("outbox_queues").select("team_id").distinct().where("removed_at", "is not", null),
);

/** Deletes items of the team's removed queues with their attempts, at most `limit` of them. */
export const deleteRemovedItems = statement<{ team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("outbox_items")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("queue_id", "event_number"),
        "in",
        selectFrom("outbox_queues")
          .innerJoin("outbox_items as theirs", (join) =>
            join
              .onRef("theirs.team_id", "=", "outbox_queues.team_id")
              .onRef("theirs.queue_id", "=", "outbox_queues.queue_id"),
          )
          .select(["theirs.queue_id", "theirs.event_number"])
          .where("outbox_queues.team_id", "=", param("team_id"))
          .where("removed_at", "is not", null)
          .limit(param("limit"))
          .$asTuple("queue_id", "event_number"),
      ),
    ),
);

/**
 * Deletes removed queues of the team that are empty, at most `limit` of them. One that has an owner is kept until its lease is
 * long over: the removal waits for that owner to give it back.
 */
export const deleteRemovedQueues = statement<{ team_id: string; lease_before: number; limit: number }>((db, param) =>
  db
    .deleteFrom("outbox_queues")
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "in", (some) =>
      some
        .selectFrom("outbox_queues as removed")
        .select("removed.queue_id")
        .where("removed.team_id", "=", param("team_id"))
        .where("removed.removed_at", "is not", null)
        .where((row) =>
          row.or([row("removed.owner_id", "is", null), row("removed.lease_until", "<", param("lease_before"))]),
        )
        .where(({ not, exists, selectFrom, val }) =>
          not(
            exists(
              selectFrom("outbox_items")
                .select(val(1).as("one"))
                .whereRef("outbox_items.team_id", "=", "removed.team_id")
                .whereRef("outbox_items.queue_id", "=", "removed.queue_id"),
            ),
          ),
        )
        .limit(param("limit")),
    ),
);
