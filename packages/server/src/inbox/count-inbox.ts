import { type InboxView, waitingSpans } from "@frontdesk/core/domain/inbox";
import type { Context, Operation } from "../context.ts";
import { countersOf } from "../teams/team-counters.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { countOfList, countsOfSpans, countsOfWork, unreadOfLists } from "./inbox-count-store.ts";
import type { InboxListName } from "./inbox-store.ts";

export interface ViewCount {
  count: number;
  unread: number;
}

export interface InboxCounts {
  views: Record<InboxView, ViewCount>;
  /** Of the team's log: everything up to it is counted. */
  number: number;
}

/**
 * How many conversations each view of an agent's inbox has, and how many of them are unread. Nothing is stored for it except
 * the team's totals: counting ends at `most`, the highest number shown, so it costs little in a team of any size.
 */
export const countInbox: Operation<{ most: number }, InboxCounts> = {
  name: "count-inbox",
  mode: "read",
  async run(ctx, { most }) {
    const counted = { team_id: ctx.teamId, most };
    const [totals, lists, unread, work, spans] = await Promise.all([
      countersOf(ctx),
      countLists(ctx, most),
      ctx.db.all(unreadOfLists, { ...counted, most: UNREAD_MOST * most }),
      ctx.db.all(countsOfWork, { ...counted, agent_id: inboxAgentId(ctx), look: LOOKED_AT }),
      ctx.db.all(countsOfSpans, { ...counted, ...SPANS }),
    ]);
    const unreadIn = (...names: InboxListName[]) =>
      unread.reduce((sum, row) => sum + (names.includes(row.list) ? row.unread : 0), 0);
    const upToMost = ({ count, unread: some }: ViewCount) => ({
      count: Math.min(most, count),
      unread: Math.min(most, some),
    });
    const countsOf = (name: "mine" | "handoff" | "mentions" | "waiting" | "answered") => {
      const { count = 0, unread: some = 0 } = [...work, ...spans].find(({ list }) => list === name) ?? {};
      return { count, unread: some };
    };
    const { conversations, open_conversations: open } = totals;
    const views: InboxCounts["views"] = {
      open: { count: lists.unassigned + lists.assigned, unread: unreadIn("unassigned", "assigned") },
      waiting: countsOf("waiting"),
      answered: countsOf("answered"),
      mine: countsOf("mine"),
      unassigned: { count: lists.unassigned, unread: unreadIn("unassigned") },
      mentions: countsOf("mentions"),
      handoff: countsOf("handoff"),
      with_ai: { count: lists.with_ai, unread: unreadIn("with_ai") },
      snoozed: { count: lists.snoozed, unread: unreadIn("snoozed") },
      resolved: { count: conversations - open, unread: unreadIn("resolved") },
      all: { count: conversations, unread: unreadIn("unassigned", "assigned", "with_ai", "snoozed", "resolved") },
    };
    for (const view of Object.keys(views) as InboxView[]) views[view] = upToMost(views[view]);
    return { views, number: totals.event_number };
  },
};

/** At most this many open assigned conversations are read to find the agent's own. */
const LOOKED_AT = 10_000;
const SPANS = {
  waiting_from: waitingSpans.waiting.from,
  waiting_to: waitingSpans.waiting.to,
  answered_from: waitingSpans.answered.from,
  answered_to: waitingSpans.answered.to,
};
/** There are five lists; the unread ones of all are counted at once. */
const UNREAD_MOST = 5;

/**
 * Open conversations in none of the other lists are unassigned: that is computed without counting them, unless they are too
 * many.
 */
async function countLists(ctx: Context, most: number) {
  const countOf = async (list: InboxListName) =>
    (await ctx.db.first(countOfList, { team_id: ctx.teamId, most, list }))?.count ?? 0;
  const [{ open_conversations: open }, assigned, with_ai, snoozed] = await Promise.all([
    countersOf(ctx),
    countOf("assigned"),
    countOf("with_ai"),
    countOf("snoozed"),
  ]);
  const isExact = assigned < most && with_ai < most && snoozed < most;
  const unassigned = isExact ? open - assigned - with_ai - snoozed : await countOf("unassigned");
  return { assigned, with_ai, snoozed, unassigned };
}
