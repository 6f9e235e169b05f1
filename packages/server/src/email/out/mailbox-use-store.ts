import { sql } from "kysely";
import type { ItemState } from "../../outbox/outbox-item.ts";
import { statement } from "../../storage/statement.ts";
import type { OutboxItemRow } from "../../storage/tables.ts";

type OfQueue = Pick<OutboxItemRow, "team_id" | "queue_id">;

/** By the key of the table: the state is no condition, or all that the team has delivered would be read. */
export const newestEnded = statement<
  OfQueue & { since: number; limit: number },
  Pick<OutboxItemRow, "state" | "ended_at">
>((db, param) =>
  db
    .selectFrom("outbox_items")
    .select(["state", "ended_at"])
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("ended_at", ">", param("since"))
    .orderBy("event_number", "desc")
    .limit(param("limit")),
);

/** How many messages wait to be sent through an account. */
export const itemsWaiting = statement<OfQueue, { total: number }>((db, param) =>
  db
    .selectFrom("outbox_items")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("team_id", "=", param("team_id"))
    .where("queue_id", "=", param("queue_id"))
    .where("state", "=", sql.lit("waiting" satisfies ItemState)),
);
