import { WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import { canonicalId } from "@frontdesk/core/domain/id";
import { type InboxOrder, type InboxQuery, type InboxView, waitingSpans } from "@frontdesk/core/domain/inbox";
import type { Context, Operation } from "../context.ts";
import { type ConversationView, conversationViews } from "../conversations/conversation-view.ts";
import { listParam } from "../storage/dialect.ts";
import { countersOf } from "../teams/team-counters.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import {
  ALL_RANKS,
  ALL_TIMES,
  amongFew,
  fewWith,
  type InboxConditions,
  type InboxLists,
  inboxStart,
  type PlacedRow,
  pieceOf,
} from "./inbox-store.ts";
import { ownReads } from "./own-reads.ts";

/** A position in a list. */
export interface Cursor {
  /** What the order compares, ms since the epoch. */
  value: number;
  id: string;
}

export interface InboxPage {
  conversations: ConversationView[];
  /** How far the agent has read them, by their ids. */
  ownReads: ReadonlyMap<string, number>;
  /** Where the next page begins; undefined when there is none. */
  next: Cursor | undefined;
  /** Of the team's log: everything up to it is in the page. */
  number: number;
}

/**
 * A page of an agent's inbox. A page begins where the one before ended, so that new activity moves nothing. A page may be
 * shorter than requested and still have a next one: it reads a bounded number of conversations
 * (docs/decisions/0026-inbox.md).
 */
export const listInbox: Operation<{ query: InboxQuery; before: Cursor | undefined; limit: number }, InboxPage> = {
  name: "list-inbox",
  mode: "read",
  async run(ctx, { query, before, limit }) {
    const [{ event_number: number }, found] = await Promise.all([
      countersOf(ctx),
      conversationsIn(ctx, query, limit, before),
    ]);
    const [byId, read] = await Promise.all([conversationViews(ctx, found.ids), ownReads(ctx, found.ids)]);
    const conversations = found.ids.flatMap((id) => byId.get(id) ?? []);
    return { conversations, ownReads: read, next: found.next, number };
  },
};

/** How many conversations a list has, counted up to `most`. Of a list that is long and has few of them, the first ones. */
export async function countInList(ctx: Context, query: InboxQuery, most: number): Promise<number> {
  return (await conversationsIn(ctx, { ...query, order: "newest" }, most)).ids.length;
}

async function conversationsIn(ctx: Context, query: InboxQuery, limit: number, before?: Cursor): Promise<Found> {
  const { order = "newest" } = query;
  const conditions = conditionsOf(ctx, query);
  const few = await fewIds(ctx, order, conditions);
  const from = before ?? startOf(order, conditions);
  const asked = { order, lists: listsOf[query.view], conditions, from, limit };
  return few ? amongThese(ctx, asked, few) : lookThrough(ctx, asked);
}

/** A list of a span of time begins with it. */
function startOf(order: InboxOrder, { active_from, active_until }: InboxConditions): Cursor {
  if (order === "newest" && active_until !== ALL_TIMES) return { value: active_until, id: NO_ID };
  if (order === "oldest" && active_from !== 0) return { value: active_from - 1, id: NO_ID };
  return inboxStart[order];
}

/** Whether a list of a span of time has ended before the cursor. */
function isBeyond({ value }: Cursor, order: InboxOrder, { active_from, active_until }: InboxConditions): boolean {
  return (order === "newest" && value < active_from) || (order === "oldest" && value >= active_until);
}

const listsOf = {
  open: "open",
  waiting: "open",
  answered: "open",
  mine: "assigned",
  unassigned: "unassigned",
  handoff: "open",
  with_ai: "with_ai",
  mentions: "all",
  snoozed: "snoozed",
  resolved: "resolved",
  all: "all",
} as const satisfies Record<InboxView, InboxLists>;

/** An invalid id belongs to no agent and no tag. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

function conditionsOf(ctx: Context, query: InboxQuery): InboxConditions {
  const me = inboxAgentId(ctx);
  const idOrNull = (text: string | undefined) => (text === undefined ? null : (canonicalId(text) ?? NO_ID));
  const idsOrNull = (ids: readonly string[] | undefined) =>
    ids === undefined ? null : listParam(ids.map((id) => canonicalId(id) ?? NO_ID));
  return {
    team_id: ctx.teamId,
    widget_id: idOrNull(query.widget_id),
    channel: query.channel ?? null,
    account_id: idOrNull(query.channel_id),
    tag_ids: idsOrNull(query.tag_ids),
    agent_ids: idsOrNull(query.agent_ids),
    mine: query.view === "mine" ? me : null,
    mentioned: query.view === "mentions" ? me : null,
    is_unread: query.unread ? 1 : 0,
    is_handed_over: query.view === "handoff" ? 1 : 0,
    active_from: query.active_from === undefined ? 0 : Date.parse(query.active_from),
    active_until: query.active_until === undefined ? ALL_TIMES : Date.parse(query.active_until),
    ...ranksOf(query.view),
  };
}

function ranksOf(view: InboxView): { rank_from: number; rank_to: number } {
  if (view !== "waiting" && view !== "answered") return { rank_from: 0, rank_to: ALL_RANKS };
  const { from, to } = waitingSpans[view];
  return { rank_from: from, rank_to: to };
}

/** Up to this many are found sooner by their ids than by scanning the list in order. */
export const FEW = 1_000;

/** The ids selected by one of the conditions, when it selects few; undefined when none does. */
async function fewIds(
  { db, teamId }: Context,
  order: InboxOrder,
  conditions: InboxConditions,
): Promise<string[] | undefined> {
  const { channel, tag_ids, agent_ids, mine, mentioned, is_unread, is_handed_over, rank_from, rank_to } = conditions;
  const isRanked = rank_to !== ALL_RANKS;
  const limit = { team_id: teamId, limit: FEW + 1 };
  const ways = [
    is_handed_over === 1 && (() => db.all(fewWith.handedOver, limit)),
    mentioned !== null && (() => db.all(fewWith.mentioning, { ...limit, mentioned })),
    tag_ids !== null && (() => db.all(fewWith.tagged, { ...limit, tag_ids })),
    agent_ids !== null && (() => db.all(fewWith.assignedTo, { ...limit, agent_ids })),
    mine !== null && (() => db.all(fewWith.assignedTo, { ...limit, agent_ids: listParam([mine]) })),
    is_unread === 1 && (() => db.all(fewWith.unread, limit)),
    channel !== null && channel !== WIDGET_CHANNEL && (() => db.all(fewWith.ofChannel, { ...limit, channel })),
    // In its own order the span is read as it stands in the index.
    isRanked && order !== "waiting" && (() => db.all(fewWith.ranked, { ...limit, rank_from, rank_to })),
  ];
  for (const way of ways) {
    const ids = way && (await way());
    if (ids && ids.length <= FEW) return ids.map(({ id }) => id);
  }
  return undefined;
}

interface Found {
  ids: string[];
  next: Cursor | undefined;
}

/** A page as it is read. */
interface Asked {
  order: InboxOrder;
  lists: InboxLists;
  conditions: InboxConditions;
  from: Cursor;
  limit: number;
}

async function amongThese(
  { db }: Context,
  { order, lists, conditions, from, limit }: Asked,
  ids: readonly string[],
): Promise<Found> {
  // One more than the page holds shows whether another page follows.
  const page = { before: from.value, before_id: from.id, limit: limit + 1 };
  const found = await db.all(amongFew[order][lists], { ...conditions, ...page, conversation_ids: listParam(ids) });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { ids: shown.map(({ id }) => id), next: last && found.length > limit ? cursorOf(last) : undefined };
}

/** At most this many conversations are read for one page. */
const LOOKED_AT = 2_000;
/** At a time, after the first piece. */
const AT_ONCE = 500;

async function lookThrough({ db }: Context, { order, lists, conditions, from, limit }: Asked): Promise<Found> {
  const ids: string[] = [];
  let cursor = from;
  let size = limit + 1;
  for (let looked = 0; looked < LOOKED_AT; looked += size, size = AT_ONCE) {
    const { value: before, id: before_id } = cursor;
    const piece = await db.all(pieceOf[order][lists], { ...conditions, before, before_id, limit: size });
    for (const row of piece) {
      if (ids.length === limit) return { ids, next: cursor };
      cursor = cursorOf(row);
      if (row.is_match === 1) ids.push(row.id);
    }
    if (piece.length < size || isBeyond(cursor, order, conditions)) return { ids, next: undefined };
  }
  return { ids, next: cursor };
}

const cursorOf = ({ value, id }: PlacedRow): Cursor => ({ value, id });
