import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement } from "../storage/statement.ts";

/** The lists of which each conversation is in one (migration 15). */
export type InboxListName = "unassigned" | "assigned" | "snoozed" | "resolved";

interface OfTeam {
  team_id: string;
}

/** The conditions for rows of a list; null, and 0, are no condition. */
export interface InboxConditions extends OfTeam {
  widget_id: string | null;
  channel: string | null;
  tag_id: string | null;
  /** An assigned agent. */
  agent_id: string | null;
  /** A second one: the view of the agent's own conversations, filtered by another agent. */
  mine: string | null;
  mentioned: string | null;
  is_unread: number;
  is_handed_over: number;
}

/** Where a page begins: what was active after it is left out. */
interface Page extends OfTeam {
  before: number;
  before_id: string;
  limit: number;
}

export interface PlacedRow {
  id: string;
  active_at: number;
}

/** A conversation that was read, and whether it meets the conditions. */
export type LookedAtRow = PlacedRow & { is_match: number };

type Piece = InboxConditions & Page;

/**
 * A piece of some lists in one order, newest activity first, each row with whether it meets the conditions. Each list is
 * read no further than the piece reaches, by the index `conversations_in_inbox` (as in `conversation-browse-store.ts`).
 */
export const pieceOf = {
  open: pieceOfLists(["unassigned", "assigned"]),
  unassigned: pieceOfLists(["unassigned"]),
  assigned: pieceOfLists(["assigned"]),
  snoozed: pieceOfLists(["snoozed"]),
  resolved: pieceOfLists(["resolved"]),
  all: pieceOfLists(["unassigned", "assigned", "snoozed", "resolved"]),
};
export type InboxLists = keyof typeof pieceOf;

/** Those of some conversations that are in some lists and meet the conditions, in order. */
export const amongFew = {
  open: amongFewOf(["unassigned", "assigned"]),
  unassigned: amongFewOf(["unassigned"]),
  assigned: amongFewOf(["assigned"]),
  snoozed: amongFewOf(["snoozed"]),
  resolved: amongFewOf(["resolved"]),
  all: amongFewOf(["unassigned", "assigned", "snoozed", "resolved"]),
} satisfies Record<InboxLists, unknown>;

/** The ids that one condition alone selects, in no order, at most `limit`. */
export const fewWith = {
  handedOver: statement<OfTeam & { limit: number }, { id: string }>((db, param) =>
    db
      .selectFrom("conversations")
      .select("id")
      .where("team_id", "=", param("team_id"))
      .where("handoff_requested_at", "is not", null)
      .limit(param("limit")),
  ),
  mentioning: statement<OfTeam & { mentioned: string | null; limit: number }, { id: string }>((db, param) =>
    db
      .selectFrom("mentions")
      .select("conversation_id as id")
      .where("team_id", "=", param("team_id"))
      .where("agent_id", "=", param("mentioned"))
      .limit(param("limit")),
  ),
  tagged: statement<OfTeam & { tag_id: string | null; limit: number }, { id: string }>((db, param) =>
    db
      .selectFrom("conversation_tags")
      .select("conversation_id as id")
      .where("team_id", "=", param("team_id"))
      .where("tag_id", "=", param("tag_id"))
      .limit(param("limit")),
  ),
  assignedTo: statement<OfTeam & { agent_id: string | null; limit: number }, { id: string }>((db, param) =>
    db
      .selectFrom("assignments")
      .select("conversation_id as id")
      .where("team_id", "=", param("team_id"))
      .where("agent_id", "=", param("agent_id"))
      .limit(param("limit")),
  ),
  unread: statement<OfTeam & { limit: number }, { id: string }>((db, param) =>
    db
      .selectFrom("conversations")
      .select("id")
      .where("team_id", "=", param("team_id"))
      .where("unread_messages", ">", sql.lit(0))
      .limit(param("limit")),
  ),
};

function pieceOfLists(lists: readonly InboxListName[]) {
  return statement<Piece, LookedAtRow>((db, param) => {
    const [first, ...others] = lists.map((list) =>
      db.selectFrom(inOrder(list, db, param).limit(param("limit")).as(list)).select(["id", "active_at"]),
    );
    if (!first) throw new Error("A piece of no list.");
    const all = others.reduce((union, list) => union.unionAll(list), first);
    // Sorted and limited before the conditions are checked: of four lists, a quarter of it is left.
    const piece = db
      .selectFrom(all.as("lists"))
      .select(["id", "active_at"])
      .orderBy("active_at", "desc")
      .orderBy("id", "desc")
      .limit(param("limit"));
    return db
      .selectFrom(piece.as("piece"))
      .innerJoin("conversations", "conversations.id", "piece.id")
      .select(["piece.id", "piece.active_at"])
      .select(() => sql<number>`case when ${meets(db, param)} then 1 else 0 end`.as("is_match"))
      .where("conversations.team_id", "=", param("team_id"))
      .orderBy("piece.active_at", "desc")
      .orderBy("piece.id", "desc");
  });
}

function inOrder<P extends Page>(list: InboxListName, db: Dialect["builder"], param: Param<P>) {
  return db
    .selectFrom("conversations")
    .select(["id", "active_at"])
    .where("team_id", "=", param("team_id"))
    .where("inbox_list", "=", sql.lit(list))
    .where(
      (row): Expression<SqlBool> =>
        sql`(${row.ref("active_at")}, ${row.ref("id")}) < (${param("before")}, ${param("before_id")})`,
    )
    .orderBy("active_at", "desc")
    .orderBy("id", "desc");
}

function amongFewOf(lists: readonly InboxListName[]) {
  return statement<Piece & { conversation_ids: string }, PlacedRow>((db, param, dialect) =>
    db
      .selectFrom("conversations")
      .select(["id", "active_at"])
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("id"), param("conversation_ids")))
      // Adding nothing to it keeps SQLite from the index of the list, which it would otherwise scan for some ids.
      .where((row) => sql<SqlBool>`${row.ref("inbox_list")} || '' in (${sql.join(lists.map((list) => sql.lit(list)))})`)
      .where(
        (row): Expression<SqlBool> =>
          sql`(${row.ref("active_at")}, ${row.ref("id")}) < (${param("before")}, ${param("before_id")})`,
      )
      .where(() => meets(db, param))
      .orderBy("active_at", "desc")
      .orderBy("id", "desc")
      .limit(param("limit")),
  );
}

/** The conditions, of a row of `conversations`. */
function meets<P extends InboxConditions>(db: Dialect["builder"], param: Param<P>): RawBuilder<SqlBool> {
  const conversation = (column: string) => sql.ref(`conversations.${column}`);
  const assignedTo = (agent: RawBuilder<string | null>) =>
    db
      .selectFrom("assignments")
      .select(sql.lit(1).as("one"))
      .where("assignments.team_id", "=", param("team_id"))
      .where("assignments.conversation_id", "=", conversation("id") as Expression<string>)
      .where("assignments.agent_id", "=", agent as Expression<string>);
  const tagged = db
    .selectFrom("conversation_tags")
    .select(sql.lit(1).as("one"))
    .where("conversation_tags.team_id", "=", param("team_id"))
    .where("conversation_tags.conversation_id", "=", conversation("id") as Expression<string>)
    .where("conversation_tags.tag_id", "=", param("tag_id") as Expression<string>);
  const named = db
    .selectFrom("mentions")
    .select(sql.lit(1).as("one"))
    .where("mentions.team_id", "=", param("team_id"))
    .where("mentions.conversation_id", "=", conversation("id") as Expression<string>)
    .where("mentions.agent_id", "=", param("mentioned") as Expression<string>);
  return sql`(
    (${isNothing(param("widget_id"))} or ${conversation("widget_id")} = ${param("widget_id")})
    and (${isNothing(param("channel"))} or ${conversation("channel")} = ${param("channel")})
    and (${param("is_unread")} = 0 or ${conversation("unread_messages")} > 0)
    and (${param("is_handed_over")} = 0 or ${conversation("handoff_requested_at")} is not null)
    and (${isNothing(param("tag_id"))} or exists ${tagged})
    and (${isNothing(param("agent_id"))} or exists ${assignedTo(param("agent_id"))})
    and (${isNothing(param("mine"))} or exists ${assignedTo(param("mine"))})
    and (${isNothing(param("mentioned"))} or exists ${named})
  )`;
}

/** The type is given, because PostgreSQL cannot infer it for a parameter that is compared with nothing. */
function isNothing(value: RawBuilder<string | null>): RawBuilder<SqlBool> {
  return sql`cast(${value} as text) is null`;
}

interface Counted extends OfTeam {
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
  const open = ["unassigned", "assigned"] as const satisfies InboxListName[];
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
    .where("inbox_list", "in", sql<InboxListName>`(${sql.join(open.map((list) => sql.lit(list)))})`);
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

/** One row: how many rows each of two queries has. */
function counted(db: Dialect["builder"], list: string, all: Expression<unknown>, unread: Expression<unknown>) {
  return db.selectNoFrom([
    sql<string>`${sql.lit(list)}`.as("list"),
    sql<number>`(select count(*) from ${all} as counted)`.as("count"),
    sql<number>`(select count(*) from ${unread} as counted)`.as("unread"),
  ]);
}

/** The conversations of a contact, the newest message first. */
export const conversationsOfContact = statement<OfTeam & { contact_id: string; limit: number }, { id: string }>(
  (db, param) =>
    db
      .selectFrom("conversations")
      .select("id")
      .where("team_id", "=", param("team_id"))
      .where("contact_id", "=", param("contact_id"))
      .orderBy("last_message_at", "desc")
      .orderBy("id", "desc")
      .limit(param("limit")),
);
