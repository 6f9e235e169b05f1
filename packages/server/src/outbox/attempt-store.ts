import { type RawBuilder, sql } from "kysely";
import { type Dialect, type ListedType, rowsParam } from "../storage/dialect.ts";
import { statement } from "../storage/statement.ts";
import type { OutboxAttemptRow, OutboxItemRow } from "../storage/tables.ts";
import type { OfQueue, SomeItems } from "./outbox-store.ts";

/**
 * Rows of a list for some items of a queue; `least` and `most` as in `SomeItems`. They let SQLite look up each row by the `in`:
 * without them it would scan all items from `least` to `most`, and the list for each (64 rows: 54 µs a row instead of 10 µs;
 * one statement a row takes 6 µs plus the call). PostgreSQL does not need them.
 */
interface ListedItems extends OfQueue {
  /** Made by `rowsParam`. */
  rows: string;
  least: number;
  most: number;
}

/** The parameters that give each of some items its row; there is at least one row. */
export function listedItems<Row extends { event_number: number }>(
  rows: readonly Row[],
): Omit<ListedItems, keyof OfQueue> {
  const numbers = rows.map(({ event_number }) => event_number);
  return { rows: rowsParam(rows), least: Math.min(...numbers), most: Math.max(...numbers) };
}

/** A statement that has the rows of a list as `listed`, parsed once. */
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
export type NewAttempt = Pick<OutboxAttemptRow, "event_number" | "id">;

/** Writes that attempts have begun, each with the number stored in its item. */
export const insertAttempts = statement<ListedItems & Pick<OutboxAttemptRow, "address" | "started_at">>(
  (db, param, dialect) =>
    withListed<NewAttempt>(db, dialect, param("rows"), { event_number: "integer", id: "text" })
      .insertInto("outbox_attempts")
      .columns(["team_id", "queue_id", "event_number", "id", "attempt", "address", "started_at"])
      .expression((query) =>
        query
          .selectFrom("outbox_items")
          .innerJoin("listed", "listed.event_number", "outbox_items.event_number")
          .select([
            "outbox_items.team_id",
            "outbox_items.queue_id",
            "outbox_items.event_number",
            "listed.id",
            "outbox_items.attempt",
            param("address").as("address"),
            param("started_at").as("started_at"),
          ])
          .where("outbox_items.team_id", "=", param("team_id"))
          .where("outbox_items.queue_id", "=", param("queue_id"))
          .where("outbox_items.event_number", ">=", param("least"))
          .where("outbox_items.event_number", "<=", param("most"))
          // SQLite looks up each row by this; otherwise it would read the whole list for every item of the queue.
          .where("outbox_items.event_number", "in", (some) => some.selectFrom("listed").select("listed.event_number")),
      ),
);

/** How an attempt ended. */
export type AttemptEnd = Omit<OutboxAttemptRow, "team_id" | "queue_id" | "attempt" | "address" | "started_at">;

/**
 * What receivers answered may repeat what was sent to them: it goes when that is erased. An attempt under way is marked by an empty
 * body, so that `writeAttempts` stores no answer to it.
 */
export const BLANK_ANSWER = {
  response_head: null,
  response_body: sql<string | null>`case when outcome is null then '' end`,
  result: null,
} as const;

/**
 * Writes how attempts ended, and what was answered unless what they sent is erased. Always written, for the log; what becomes of the
 * items is decided by `endAttempts`. A repeat changes no answer.
 */
export const writeAttempts = statement<ListedItems>((db, param, dialect) =>
  withListed<AttemptEnd>(db, dialect, param("rows"), {
    event_number: "integer",
    id: "text",
    duration_ms: "integer",
    outcome: "text",
    error: "text",
    status: "integer",
    response_head: "text",
    response_body: "text",
    result: "text",
  })
    .updateTable("outbox_attempts")
    .from("listed")
    .set((row) => ({
      duration_ms: row.ref("listed.duration_ms"),
      outcome: row.ref("listed.outcome"),
      error: row.ref("listed.error"),
      status: row.ref("listed.status"),
      response_head: answerOf("response_head"),
      response_body: sql<string | null>`nullif(${answerOf("response_body")}, '')`,
      result: answerOf("result"),
    }))
    .where("outbox_attempts.team_id", "=", param("team_id"))
    .where("outbox_attempts.queue_id", "=", param("queue_id"))
    .where("outbox_attempts.event_number", ">=", param("least"))
    .where("outbox_attempts.event_number", "<=", param("most"))
    .$if(dialect.engine === "sqlite", (rows) =>
      rows.where("outbox_attempts.event_number", "in", (some) =>
        some.selectFrom("listed").select("listed.event_number"),
      ),
    )
    .whereRef("outbox_attempts.event_number", "=", "listed.event_number")
    .whereRef("outbox_attempts.id", "=", "listed.id"),
);

function answerOf(column: "response_head" | "response_body" | "result"): RawBuilder<string | null> {
  const [answered, stored] = [sql.ref(`listed.${column}`), sql.ref(`outbox_attempts.${column}`)];
  return sql`case when outbox_attempts.outcome is null and outbox_attempts.response_body is null
    then ${answered} else ${stored} end`;
}

/** Undoes the beginning of attempts: nothing of them was sent. */
export const deleteAttempts = statement<ListedItems>((db, param, dialect) =>
  db
    .deleteFrom("outbox_attempts")
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
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

/** What becomes of an item after an attempt. */
export type ItemEnd = Pick<OutboxItemRow, "event_number" | "state" | "attempt" | "ended_at"> & {
  claim_id: string;
  /** Null: unchanged. */
  run_at: number | null;
};

/**
 * Writes what becomes of items after an attempt, unless they have been claimed again or stopped meanwhile (compare and set).
 */
export const endAttempts = statement<ListedItems>((db, param, dialect) =>
  withListed<ItemEnd>(db, dialect, param("rows"), {
    event_number: "integer",
    claim_id: "id",
    state: "text",
    attempt: "integer",
    run_at: "integer",
    ended_at: "integer",
  })
    .updateTable("outbox_items")
    .from("listed")
    .set((row) => ({
      state: row.ref("listed.state"),
      attempt: row.ref("listed.attempt"),
      run_at: row.fn.coalesce("listed.run_at", "outbox_items.run_at"),
      ended_at: row.ref("listed.ended_at"),
      claim_id: null,
    }))
    .where("outbox_items.team_id", "=", param("team_id"))
    .where("outbox_items.queue_id", "=", param("queue_id"))
    .where("outbox_items.event_number", ">=", param("least"))
    .where("outbox_items.event_number", "<=", param("most"))
    .$if(dialect.engine === "sqlite", (rows) =>
      rows.where("outbox_items.event_number", "in", (some) => some.selectFrom("listed").select("listed.event_number")),
    )
    .whereRef("outbox_items.event_number", "=", "listed.event_number")
    .whereRef("outbox_items.claim_id", "=", "listed.claim_id"),
);

/** The items of some that an earlier attempt may have sent: it ended as `unknown`, or never, because its process died. */
export const lostAttempts = statement<SomeItems, Pick<OutboxAttemptRow, "event_number">>((db, param, dialect) =>
  db
    .selectFrom("outbox_attempts")
    .innerJoin("outbox_items", (join) =>
      join
        .onRef("outbox_items.team_id", "=", "outbox_attempts.team_id")
        .onRef("outbox_items.queue_id", "=", "outbox_attempts.queue_id")
        .onRef("outbox_items.event_number", "=", "outbox_attempts.event_number"),
    )
    .select("outbox_attempts.event_number")
    .where("outbox_attempts.team_id", "=", param("team_id"))
    .where("outbox_attempts.queue_id", "=", param("queue_id"))
    .where("outbox_attempts.event_number", ">=", param("least"))
    .where("outbox_attempts.event_number", "<=", param("most"))
    .where((row) => dialect.isInNumbers(row.ref("outbox_attempts.event_number"), param("event_numbers")))
    .where((row) =>
      row.or([
        row("outcome", "=", sql.lit("unknown")),
        row.and([row("outcome", "is", null), row("outbox_attempts.attempt", "<", row.ref("outbox_items.attempt"))]),
      ]),
    ),
);

/** What the receiver stored about the attempts of some items, oldest attempt first. */
export const attemptResults = statement<SomeItems, Pick<OutboxAttemptRow, "event_number"> & { result: string }>(
  (db, param, dialect) =>
    db
      .selectFrom("outbox_attempts")
      .select(["event_number", (row) => row.ref("result").$notNull().as("result")])
      .where("team_id", "=", param("team_id"))
      .where("queue_id", "=", param("queue_id"))
      .where("event_number", ">=", param("least"))
      .where("event_number", "<=", param("most"))
      .where((row) => dialect.isInNumbers(row.ref("event_number"), param("event_numbers")))
      .where("result", "is not", null)
      .orderBy("event_number")
      .orderBy("id"),
);
