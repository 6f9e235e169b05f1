import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { ContactIdentityRow, MessageRow } from "../storage/tables.ts";

interface NewReply {
  team_id: string;
  /** The account. */
  queue_id: string;
  /** How many of the commit's events follow the event of the reply. */
  before_last: number;
  event_id: string;
  conversation_id: string;
  message_id: string;
  event_name: string;
  attempts: number;
  created_at: number;
}

/** Adds the event of a message that was just stored to the queue of an account. The number is read in the statement itself. */
export const insertReply = statement<NewReply>((db, param) =>
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
      "message_id",
    ])
    .expression((query) =>
      query
        .selectFrom("team_counters")
        .select((row) => [
          "team_counters.team_id",
          param("queue_id").as("queue_id"),
          sql<number>`${row.ref("event_number")} - ${param("before_last")}`.as("event_number"),
          sql<string>`'channel'`.as("receiver"),
          param("event_id").as("event_id"),
          param("event_name").as("event_name"),
          param("conversation_id").as("order_key"),
          sql<string>`'waiting'`.as("state"),
          sql<number>`1`.as("attempt"),
          param("attempts").as("last_attempt"),
          sql<number>`0`.as("run_at"),
          param("created_at").as("created_at"),
          param("message_id").as("message_id"),
        ])
        .where("team_counters.team_id", "=", param("team_id")),
    ),
);

export type ReplyRow = Pick<MessageRow, "id" | "conversation_id" | "contact_id" | "content">;

/** Replies with their recipients. `message_ids` is made by `listParam`. */
export const repliesToSend = statement<{ team_id: string; message_ids: string }, ReplyRow>((db, param, dialect) =>
  db
    .selectFrom("messages")
    .select(["id", "conversation_id", "contact_id", "content"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("message_ids"))),
);

/** The identities of some contacts in an account, always in the same order. `contact_ids` is made by `listParam`. */
export const identitiesInAccount = statement<
  { team_id: string; account_id: string; contact_ids: string },
  Pick<ContactIdentityRow, "contact_id" | "kind" | "value">
>((db, param, dialect) =>
  db
    .selectFrom("contact_identities")
    .select(["contact_id", "kind", "value"])
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where((row) => dialect.isIn(row.ref("contact_id"), param("contact_ids")))
    .orderBy("contact_id")
    .orderBy("kind")
    .orderBy("value"),
);
