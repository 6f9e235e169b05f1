import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { OutboxAttemptRow, OutboxItemRow } from "../storage/tables.ts";

interface OfMessages {
  team_id: string;
  /** Made by `listParam`. */
  message_ids: string;
}

export type ItemOfMessage = Pick<OutboxItemRow, "queue_id" | "event_number" | "state" | "created_at" | "ended_at"> & {
  message_id: string;
};

/** Where messages are in the outbox. One whose row is old enough to be removed has none. */
export const itemsOfMessages = statement<OfMessages, ItemOfMessage>((db, param, dialect) =>
  db
    .selectFrom("outbox_items")
    .select(["queue_id", "event_number", "state", "created_at", "ended_at"])
    .select((row) => row.ref("message_id").$notNull().as("message_id"))
    .where("team_id", "=", param("team_id"))
    .where("message_id", "is not", null)
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

export type AttemptOfMessage = Pick<OutboxAttemptRow, "started_at" | "outcome" | "error" | "result"> & {
  message_id: string;
};

/** The attempts to send messages, oldest first. */
export const attemptsOfMessages = statement<OfMessages, AttemptOfMessage>((db, param, dialect) =>
  db
    .selectFrom("outbox_items")
    .innerJoin("outbox_attempts", (join) =>
      join
        .onRef("outbox_attempts.team_id", "=", "outbox_items.team_id")
        .onRef("outbox_attempts.queue_id", "=", "outbox_items.queue_id")
        .onRef("outbox_attempts.event_number", "=", "outbox_items.event_number"),
    )
    .select(["outbox_attempts.started_at", "outbox_attempts.outcome", "outbox_attempts.error"])
    .select("outbox_attempts.result")
    .select((row) => row.ref("outbox_items.message_id").$notNull().as("message_id"))
    .where("outbox_items.team_id", "=", param("team_id"))
    .where("outbox_items.message_id", "is not", null)
    .where((row) => dialect.isIn(row.ref("outbox_items.message_id"), param("message_ids")))
    .orderBy("outbox_attempts.started_at")
    .orderBy("outbox_attempts.id"),
);

type InQueue = Pick<OutboxItemRow, "team_id" | "queue_id">;

/** The messages that are being sent through an account: no more than its slots. */
export const messagesBeingSent = statement<InQueue, Pick<OutboxItemRow, "message_id">>((db, param) =>
  db
    .selectFrom("outbox_items")
    .select("message_id")
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("state", "=", sql.lit("sending")),
);

/** The messages that wait to be sent through an account, the next one first, at most `limit`. */
export const messagesWaiting = statement<InQueue & { limit: number }, Pick<OutboxItemRow, "message_id">>((db, param) =>
  db
    .selectFrom("outbox_items")
    .select("message_id")
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("state", "=", sql.lit("waiting"))
    .orderBy("run_at")
    .orderBy("event_number")
    .limit(param("limit")),
);
