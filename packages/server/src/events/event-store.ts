import { sql } from "kysely";
import type { TeamTotal } from "../context.ts";
import { columnNames } from "../storage/columns.ts";
import { statement } from "../storage/statement.ts";
import type { EventRow } from "../storage/tables.ts";

/**
 * Takes the next `events` numbers of the team and changes its stored totals. The row stays locked until the commit, so numbers
 * are assigned in commit order without a gap.
 */
export const advanceCounters = statement<{ team_id: string; events: number } & Record<TeamTotal, number>>((db, param) =>
  db
    .updateTable("team_counters")
    .set({
      event_number: sql`event_number + ${param("events")}`,
      contacts: sql`contacts + ${param("contacts")}`,
      conversations: sql`conversations + ${param("conversations")}`,
      open_conversations: sql`open_conversations + ${param("open_conversations")}`,
      agents: sql`agents + ${param("agents")}`,
      widgets: sql`widgets + ${param("widgets")}`,
      webhooks: sql`webhooks + ${param("webhooks")}`,
      articles: sql`articles + ${param("articles")}`,
      published_articles: sql`published_articles + ${param("published_articles")}`,
    })
    .where("team_id", "=", param("team_id")),
);

const givenColumns = columnNames("events").filter((column) => column !== "team_id" && column !== "number");

/**
 * Stores an event under a number that `advanceCounters` has just taken, `before_last` before the last of them. The number
 * is read in the statement itself, which saves a round trip between the two; by a SELECT and not within VALUES, because a cluster
 * plans no subquery there.
 */
export const insertEvent = statement<NewEvent>((db, param) =>
  db
    .insertInto("events")
    .columns(["team_id", "number", ...givenColumns])
    .expression((query) =>
      query
        .selectFrom("team_counters")
        .select((row) => [
          "team_counters.team_id",
          sql<number>`${row.ref("event_number")} - ${param("before_last")}`.as("number"),
          ...givenColumns.map((column) => param(column).as(column)),
        ])
        .where("team_counters.team_id", "=", param("team_id")),
    ),
);

/** An event whose number is still to be read. */
type NewEvent = Omit<EventRow, "number"> & { before_last: number };

/** The team's events after number `after`, oldest first. */
export const eventsAfter = statement<{ team_id: string; after: number; limit: number }, EventRow>((db, param) =>
  db
    .selectFrom("events")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("number", ">", param("after"))
    .orderBy("number")
    .limit(param("limit")),
);

/**
 * The same of the events that are about one contact. Their numbers first: otherwise SQLite reads the whole log after `after`,
 * and skips what is about others.
 */
export const contactEventsAfter = statement<
  { team_id: string; contact_id: string; after: number; limit: number },
  EventRow
>((db, param) =>
  db
    .selectFrom("events")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("number", "in", (query) =>
      query
        .selectFrom("events as theirs")
        .select("theirs.number")
        .where("theirs.team_id", "=", param("team_id"))
        .where("theirs.contact_id", "=", param("contact_id"))
        .where("theirs.number", ">", param("after"))
        .orderBy("theirs.number")
        .limit(param("limit")),
    )
    .orderBy("number"),
);

/** The first event that the team's log still has. */
export const oldestEvent = statement<{ team_id: string }, { number: number }>((db, param) =>
  db.selectFrom("events").select("number").where("team_id", "=", param("team_id")).orderBy("number").limit(1),
);
