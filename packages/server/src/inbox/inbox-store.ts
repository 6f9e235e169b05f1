import { WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import type { InboxOrder } from "@frontdesk/core/domain/inbox";
import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement } from "../storage/statement.ts";

/** The lists of which each conversation is in one (migration 51). */
export type InboxListName = "unassigned" | "assigned" | "with_ai" | "snoozed" | "resolved";

interface OfTeam {
  team_id: string;
}

/** The conditions for rows of a list; null, and 0, are no condition. */
export interface InboxConditions extends OfTeam {
  widget_id: string | null;
  channel: string | null;
  /** A channel account. */
  account_id: string | null;
  /** Tags, one of which it has, made by `listParam`. */
  tag_ids: string | null;
  /** Agents, one of whom is assigned, made by `listParam`. */
  agent_ids: string | null;
  /** Another assigned agent: the view of the agent's own conversations, filtered by other agents. */
  mine: string | null;
  mentioned: string | null;
  is_unread: number;
  is_handed_over: number;
  /** A span of `waiting_rank`, up to before `rank_to`; all of them are from 0 to `ALL_RANKS`. */
  rank_from: number;
  rank_to: number;
  /** A span of `active_at`, up to before `active_until`; all of them are from 0 to `ALL_TIMES`. */
  active_from: number;
  active_until: number;
}

export const ALL_TIMES = Number.MAX_SAFE_INTEGER;
export const ALL_RANKS = Number.MAX_SAFE_INTEGER;

/** Where a page begins: what stands before it in the order is left out. */
interface Page extends OfTeam {
  before: number;
  before_id: string;
  limit: number;
}

export interface PlacedRow {
  id: string;
  /** What the order compares. */
  value: number;
}

const NO_ID = "00000000-0000-0000-0000-000000000000";

/** The orders of `core/domain/inbox.ts` in SQL. Each needs an index of `conversations` that begins with the team and the list. */
const orderColumns = {
  newest: { column: "active_at", direction: "desc" },
  oldest: { column: "active_at", direction: "asc" },
  waiting: { column: "waiting_rank", direction: "asc" },
} as const satisfies Record<InboxOrder, { column: "active_at" | "waiting_rank"; direction: "asc" | "desc" }>;
type OrderColumn = (typeof orderColumns)[InboxOrder];

/** The cursor before the first conversation of each order. */
export const inboxStart: Record<InboxOrder, { value: number; id: string }> = {
  newest: { value: Number.MAX_SAFE_INTEGER, id: NO_ID },
  oldest: { value: -1, id: NO_ID },
  waiting: { value: -1, id: NO_ID },
};

/** The names of lists, as they stand behind `in`. */
export function listNames(lists: readonly InboxListName[]): RawBuilder<InboxListName> {
  return sql<InboxListName>`(${sql.join(lists.map((list) => sql.lit(list)))})`;
}

/** A conversation that was read, and whether it meets the conditions. */
export type LookedAtRow = PlacedRow & { is_match: number };

type Piece = InboxConditions & Page;

/** The lists that a view may show. */
export const inboxLists = {
  open: ["unassigned", "assigned"],
  unassigned: ["unassigned"],
  assigned: ["assigned"],
  with_ai: ["with_ai"],
  snoozed: ["snoozed"],
  resolved: ["resolved"],
  all: ["unassigned", "assigned", "with_ai", "snoozed", "resolved"],
} as const satisfies Record<string, readonly InboxListName[]>;
export type InboxLists = keyof typeof inboxLists;

/**
 * A piece of some lists in an order, each row with whether it meets the conditions. Each list is read no further than the
 * piece reaches, by the index `conversations_in_inbox`, or `conversations_by_waiting` (as in `conversation-browse-store.ts`).
 */
export const pieceOf = {
  newest: {
    open: pieceOfLists(inboxLists.open, orderColumns.newest),
    unassigned: pieceOfLists(inboxLists.unassigned, orderColumns.newest),
    assigned: pieceOfLists(inboxLists.assigned, orderColumns.newest),
    with_ai: pieceOfLists(inboxLists.with_ai, orderColumns.newest),
    snoozed: pieceOfLists(inboxLists.snoozed, orderColumns.newest),
    resolved: pieceOfLists(inboxLists.resolved, orderColumns.newest),
    all: pieceOfLists(inboxLists.all, orderColumns.newest),
  },
  oldest: {
    open: pieceOfLists(inboxLists.open, orderColumns.oldest),
    unassigned: pieceOfLists(inboxLists.unassigned, orderColumns.oldest),
    assigned: pieceOfLists(inboxLists.assigned, orderColumns.oldest),
    with_ai: pieceOfLists(inboxLists.with_ai, orderColumns.oldest),
    snoozed: pieceOfLists(inboxLists.snoozed, orderColumns.oldest),
    resolved: pieceOfLists(inboxLists.resolved, orderColumns.oldest),
    all: pieceOfLists(inboxLists.all, orderColumns.oldest),
  },
  waiting: {
    open: pieceOfLists(inboxLists.open, orderColumns.waiting),
    unassigned: pieceOfLists(inboxLists.unassigned, orderColumns.waiting),
    assigned: pieceOfLists(inboxLists.assigned, orderColumns.waiting),
    with_ai: pieceOfLists(inboxLists.with_ai, orderColumns.waiting),
    snoozed: pieceOfLists(inboxLists.snoozed, orderColumns.waiting),
    resolved: pieceOfLists(inboxLists.resolved, orderColumns.waiting),
    all: pieceOfLists(inboxLists.all, orderColumns.waiting),
  },
} satisfies Record<InboxOrder, Record<InboxLists, unknown>>;

/** Those of some conversations that are in some lists and meet the conditions, in an order. */
export const amongFew = {
  newest: {
    open: amongFewOf(inboxLists.open, orderColumns.newest),
    unassigned: amongFewOf(inboxLists.unassigned, orderColumns.newest),
    assigned: amongFewOf(inboxLists.assigned, orderColumns.newest),
    with_ai: amongFewOf(inboxLists.with_ai, orderColumns.newest),
    snoozed: amongFewOf(inboxLists.snoozed, orderColumns.newest),
    resolved: amongFewOf(inboxLists.resolved, orderColumns.newest),
    all: amongFewOf(inboxLists.all, orderColumns.newest),
  },
  oldest: {
    open: amongFewOf(inboxLists.open, orderColumns.oldest),
    unassigned: amongFewOf(inboxLists.unassigned, orderColumns.oldest),
    assigned: amongFewOf(inboxLists.assigned, orderColumns.oldest),
    with_ai: amongFewOf(inboxLists.with_ai, orderColumns.oldest),
    snoozed: amongFewOf(inboxLists.snoozed, orderColumns.oldest),
    resolved: amongFewOf(inboxLists.resolved, orderColumns.oldest),
    all: amongFewOf(inboxLists.all, orderColumns.oldest),
  },
  waiting: {
    open: amongFewOf(inboxLists.open, orderColumns.waiting),
    unassigned: amongFewOf(inboxLists.unassigned, orderColumns.waiting),
    assigned: amongFewOf(inboxLists.assigned, orderColumns.waiting),
    with_ai: amongFewOf(inboxLists.with_ai, orderColumns.waiting),
    snoozed: amongFewOf(inboxLists.snoozed, orderColumns.waiting),
    resolved: amongFewOf(inboxLists.resolved, orderColumns.waiting),
    all: amongFewOf(inboxLists.all, orderColumns.waiting),
  },
} satisfies Record<InboxOrder, Record<InboxLists, unknown>>;

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
  tagged: statement<OfTeam & { tag_ids: string | null; limit: number }, { id: string }>((db, param, dialect) =>
    db
      .selectFrom("conversation_tags")
      .select("conversation_id as id")
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("tag_id"), param("tag_ids")))
      .limit(param("limit")),
  ),
  assignedTo: statement<OfTeam & { agent_ids: string | null; limit: number }, { id: string }>((db, param, dialect) =>
    db
      .selectFrom("assignments")
      .select("conversation_id as id")
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("agent_id"), param("agent_ids")))
      .limit(param("limit")),
  ),
  /** Of any channel but the website: the index leaves its conversations out, and is used only by statements that do so too. */
  ofChannel: statement<OfTeam & { channel: string | null; limit: number }, { id: string }>((db, param) =>
    db
      .selectFrom("conversations")
      .select("id")
      .where("team_id", "=", param("team_id"))
      .where("channel", "=", param("channel"))
      .where("channel", "<>", sql.lit(WIDGET_CHANNEL))
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
  /** Of the open lists, up to `limit` each: the views by `waiting_rank` show no others. */
  ranked: statement<Ranked, { id: string }>((db, param) =>
    rankedIn("unassigned", db, param).unionAll(rankedIn("assigned", db, param)),
  ),
};

interface Ranked extends OfTeam {
  rank_from: number;
  rank_to: number;
  limit: number;
}

/** SQLite reads an index by one list at a time, and the whole team by several. */
function rankedIn(list: InboxListName, db: Dialect["builder"], param: Param<Ranked>) {
  const rows = db
    .selectFrom("conversations")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("inbox_list", "=", sql.lit(list))
    .where("waiting_rank", ">=", param("rank_from"))
    .where("waiting_rank", "<", param("rank_to"))
    .limit(param("limit"));
  return db.selectFrom(rows.as(list)).select("id");
}

function pieceOfLists(lists: readonly InboxListName[], order: OrderColumn) {
  return statement<Piece, LookedAtRow>((db, param, dialect) => {
    const [first, ...others] = lists.map((list) =>
      db.selectFrom(inOrder(list, order, db, param).limit(param("limit")).as(list)).select(["id", "value"]),
    );
    if (!first) throw new Error("A piece of no list.");
    const all = others.reduce((union, list) => union.unionAll(list), first);
    // Sorted and limited before the conditions are checked: of five lists, a fifth of it is left.
    const piece = db
      .selectFrom(all.as("lists"))
      .select(["id", "value"])
      .orderBy("value", order.direction)
      .orderBy("id", order.direction)
      .limit(param("limit"));
    return db
      .selectFrom(piece.as("piece"))
      .innerJoin("conversations", "conversations.id", "piece.id")
      .select(["piece.id", "piece.value"])
      .select(() => sql<number>`case when ${meets(db, param, dialect)} then 1 else 0 end`.as("is_match"))
      .where("conversations.team_id", "=", param("team_id"))
      .orderBy("piece.value", order.direction)
      .orderBy("piece.id", order.direction);
  });
}

function inOrder<P extends Piece>(list: InboxListName, order: OrderColumn, db: Dialect["builder"], param: Param<P>) {
  const { column, direction } = order;
  return (
    db
      .selectFrom("conversations")
      .select(["id", `${column} as value`])
      .where("team_id", "=", param("team_id"))
      .where("inbox_list", "=", sql.lit(list))
      .where(isBehind(order, param))
      // The span of a view is a part of this order: what lies beyond it is not read.
      .$if(column === "waiting_rank", (query) =>
        query.where("waiting_rank", ">=", param("rank_from")).where("waiting_rank", "<", param("rank_to")),
      )
      .orderBy(column, direction)
      .orderBy("id", direction)
  );
}

function amongFewOf(lists: readonly InboxListName[], order: OrderColumn) {
  const { column, direction } = order;
  return statement<Piece & { conversation_ids: string }, PlacedRow>((db, param, dialect) =>
    db
      .selectFrom("conversations")
      .select(["id", `${column} as value`])
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("id"), param("conversation_ids")))
      // Adding nothing to it keeps SQLite from the index of the list, which it would otherwise scan for some ids.
      .where((row) => sql<SqlBool>`${row.ref("inbox_list")} || '' in ${listNames(lists)}`)
      .where(isBehind(order, param))
      .where(() => meets(db, param, dialect))
      .orderBy(column, direction)
      .orderBy("id", direction)
      .limit(param("limit")),
  );
}

/** Whether a row comes after the cursor. */
function isBehind<P extends Page>({ column, direction }: OrderColumn, param: Param<P>): RawBuilder<SqlBool> {
  const row = sql`(${sql.ref(column)}, id)`;
  const cursor = sql`(${param("before")}, ${param("before_id")})`;
  return direction === "desc" ? sql`${row} < ${cursor}` : sql`${row} > ${cursor}`;
}

/** The conditions, of a row of `conversations`. */
function meets<P extends InboxConditions>(
  db: Dialect["builder"],
  param: Param<P>,
  dialect: Dialect,
): RawBuilder<SqlBool> {
  const conversation = (column: string) => sql.ref(`conversations.${column}`);
  const assigned = db
    .selectFrom("assignments")
    .select(sql.lit(1).as("one"))
    .where("assignments.team_id", "=", param("team_id"))
    .where("assignments.conversation_id", "=", conversation("id") as Expression<string>);
  const toOneOf = assigned.where((row) => dialect.isIn(row.ref("assignments.agent_id"), param("agent_ids")));
  const toMe = assigned.where("assignments.agent_id", "=", param("mine") as Expression<string>);
  const tagged = db
    .selectFrom("conversation_tags")
    .select(sql.lit(1).as("one"))
    .where("conversation_tags.team_id", "=", param("team_id"))
    .where("conversation_tags.conversation_id", "=", conversation("id") as Expression<string>)
    .where((row) => dialect.isIn(row.ref("conversation_tags.tag_id"), param("tag_ids")));
  const named = db
    .selectFrom("mentions")
    .select(sql.lit(1).as("one"))
    .where("mentions.team_id", "=", param("team_id"))
    .where("mentions.conversation_id", "=", conversation("id") as Expression<string>)
    .where("mentions.agent_id", "=", param("mentioned") as Expression<string>);
  return sql`(
    (${isNothing(param("widget_id"))} or ${conversation("widget_id")} = ${param("widget_id")})
    and (${isNothing(param("channel"))} or ${conversation("channel")} = ${param("channel")})
    and (${isNothing(param("account_id"))} or ${conversation("account_id")} = ${param("account_id")})
    and (${param("is_unread")} = 0 or ${conversation("unread_messages")} > 0)
    and (${param("is_handed_over")} = 0 or ${conversation("handoff_requested_at")} is not null)
    and ${conversation("waiting_rank")} >= ${param("rank_from")} and ${conversation("waiting_rank")} < ${param("rank_to")}
    and ${conversation("active_at")} >= ${param("active_from")} and ${conversation("active_at")} < ${param("active_until")}
    and (${isNothing(param("tag_ids"))} or exists ${tagged})
    and (${isNothing(param("agent_ids"))} or exists ${toOneOf})
    and (${isNothing(param("mine"))} or exists ${toMe})
    and (${isNothing(param("mentioned"))} or exists ${named})
  )`;
}

/** The type is given, because PostgreSQL cannot infer it for a parameter that is compared with nothing. */
function isNothing(value: RawBuilder<string | null>): RawBuilder<SqlBool> {
  return sql`cast(${value} as text) is null`;
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
