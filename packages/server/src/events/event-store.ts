import { sql } from "kysely";
import type { KeptTotal } from "../context.ts";
import { every, statement } from "../storage/statement.ts";
import type { EventRow } from "../storage/tables.ts";

/**
 * Takes the next `events` numbers of the team and changes its kept totals. The row stays locked until the commit, so
 * numbers are given in commit order and none is ever left out.
 */
export const advanceCounters = statement<{ team_id: string; events: number } & Record<KeptTotal, number>>((db, param) =>
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

/**
 * Stores an event under a number that `advanceCounters` has just taken, `before_last` before the last of them. The number
 * is read in the statement itself, so that nobody waits for an answer between the two.
 */
export const insertEvent = statement<Omit<EventRow, "number"> & { before_last: number }>((db, param) =>
  db.insertInto("events").values({
    ...every(param, [
      "team_id",
      "id",
      "name",
      "conversation_id",
      "contact_id",
      "actor",
      "data",
      "occurred_at",
      "version",
    ]),
    number: db
      .selectFrom("team_counters")
      .select((row) => sql<number>`${row.ref("event_number")} - ${param("before_last")}`.as("number"))
      .where("team_id", "=", param("team_id")),
  }),
);

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
 * The same of the events that are about one contact. Their numbers first: otherwise SQLite reads the whole log after
 * `after`, and leaves out what is about others.
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
