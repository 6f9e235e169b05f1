import { type Expression, sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { statement } from "../storage/statement.ts";
import { type InboxListName, inboxLists, listNames } from "./inbox-store.ts";

interface Counted {
  team_id: string;
  /** Rows are counted up to it. */
  most: number;
}

/** How many conversations are in a list. */
export const countOfList = statement<Counted & { list: InboxListName }, { count: number }>((db, param) =>
  db
    .selectFrom(
      db
        .selectFrom("conversations")
        .select(sql.lit(1).as("one"))
        .where("team_id", "=", param("team_id"))
        .where("inbox_list", "=", param("list"))
        .limit(param("most"))
        .as("listed"),
    )
    .select((row) => row.fn.countAll<number>().as("count")),
);

/** How many conversations of each list are unread. */
export const unreadOfLists = statement<Counted, { list: InboxListName; unread: number }>((db, param) =>
  db
    .selectFrom(
      db
        .selectFrom("conversations")
        .select("inbox_list")
        .where("team_id", "=", param("team_id"))
        .where("unread_messages", ">", sql.lit(0))
        .limit(param("most"))
        .as("unread"),
    )
    .select((row) => [
      row.ref("inbox_list").$castTo<InboxListName>().as("list"),
      row.fn.countAll<number>().as("unread"),
    ])
    .groupBy("inbox_list"),
);

export interface CountRow {
  list: string;
  count: number;
  unread: number;
}

interface CountedWork extends Counted {
  agent_id: string;
  /** Rows are read up to it. */
  look: number;
}

/**
 * Both counts of an agent's own conversations, of those with a requested handoff, and of those whose notes mention the agent.
 */
export const countsOfWork = statement<CountedWork, CountRow>((db, param) => {
  const assigned = db
    .selectFrom("conversations")
    .select(["id", "unread_messages"])
    .where("team_id", "=", param("team_id"))
    .where("inbox_list", "=", sql.lit("assigned" satisfies InboxListName))
    .limit(param("look"));
  const unreadAssigned = db
    .selectFrom("conversations")
    .select(["id", "unread_messages"])
    .where("team_id", "=", param("team_id"))
    .where("inbox_list", "=", sql.lit("assigned" satisfies InboxListName))
    .where("unread_messages", ">", sql.lit(0))
    .limit(param("look"));
  const mine = (of: typeof assigned) =>
    db
      .selectFrom(of.as("assigned"))
      .select(sql.lit(1).as("one"))
      .where((row) =>
        row.exists(
          db
            .selectFrom("assignments")
            .select(sql.lit(1).as("one"))
            .where("assignments.team_id", "=", param("team_id"))
            .whereRef("assignments.conversation_id", "=", sql.ref<string>("assigned.id"))
            .where("assignments.agent_id", "=", param("agent_id")),
        ),
      )
      .limit(param("most"));
  const handedOver = db
    .selectFrom("conversations")
    .select(sql.lit(1).as("one"))
    .where("team_id", "=", param("team_id"))
    .where("handoff_requested_at", "is not", null)
    .where("inbox_list", "in", listNames(inboxLists.open));
  const naming = db
    .selectFrom("mentions")
    .select("conversation_id")
    .distinct()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"));
  return counted(db, "mine", mine(assigned), mine(unreadAssigned))
    .unionAll(
      counted(
        db,
        "handoff",
        handedOver.limit(param("most")),
        handedOver.where("unread_messages", ">", sql.lit(0)).limit(param("most")),
      ),
    )
    .unionAll(
      counted(
        db,
        "mentions",
        naming.limit(param("most")),
        naming.where("is_read", "=", sql.lit(0)).limit(param("most")),
      ),
    );
});

interface CountedSpans extends Counted {
  waiting_from: number;
  waiting_to: number;
  answered_from: number;
  answered_to: number;
}

/** Both counts of the open conversations that wait, and of those that are answered; each list is counted up to `most`. */
export const countsOfSpans = statement<CountedSpans, CountRow>((db, param) => {
  const span = (name: "waiting" | "answered") => {
    // SQLite reads an index by one list at a time, and the whole team by several.
    const ofList = (list: InboxListName, isUnread: boolean) => {
      const rows = db
        .selectFrom("conversations")
        .select(sql.lit(1).as("one"))
        .where("team_id", "=", param("team_id"))
        .where("inbox_list", "=", sql.lit(list))
        .where("waiting_rank", ">=", param(`${name}_from`))
        .where("waiting_rank", "<", param(`${name}_to`))
        .$if(isUnread, (query) => query.where("unread_messages", ">", sql.lit(0)))
        .limit(param("most"));
      return db.selectFrom(rows.as(list)).select("one");
    };
    const ofBoth = (isUnread: boolean) => ofList("unassigned", isUnread).unionAll(ofList("assigned", isUnread));
    return counted(db, name, ofBoth(false), ofBoth(true));
  };
  return span("waiting").unionAll(span("answered"));
});

/** One row: how many rows each of two queries has. */
function counted(db: Dialect["builder"], list: string, all: Expression<unknown>, unread: Expression<unknown>) {
  return db.selectNoFrom([
    sql<string>`${sql.lit(list)}`.as("list"),
    sql<number>`(select count(*) from ${all} as counted)`.as("count"),
    sql<number>`(select count(*) from ${unread} as counted)`.as("unread"),
  ]);
}
