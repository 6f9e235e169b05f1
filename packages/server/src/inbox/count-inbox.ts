import type { InboxView } from "@frontdesk/core/domain/inbox";
import type { Operation } from "../context.ts";
import { countersOf } from "../teams/team-counters.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { countsOfLists, countsOfWork } from "./inbox-store.ts";

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
 * How many conversations each view of an agent's inbox has, and in how many of them something is unread. Nothing is kept for
 * it: counting ends at `most`, which no screen shows more of, and so it costs the same in a team of any size.
 */
export const countInbox: Operation<{ most: number }, InboxCounts> = {
  name: "count-inbox",
  mode: "read",
  async run(ctx, { most }) {
    const asked = { team_id: ctx.teamId, agent_id: inboxAgentId(ctx), most, look: LOOKED_AT };
    const [{ event_number: number }, lists, work] = await Promise.all([
      countersOf(ctx),
      ctx.db.all(countsOfLists, asked),
      ctx.db.all(countsOfWork, asked),
    ]);
    const rows = new Map([...lists, ...work].map(({ list, count, unread }) => [list, { count, unread }]));
    const sumOf = (...names: string[]): ViewCount => {
      const sum = (what: keyof ViewCount) => names.reduce((total, name) => total + (rows.get(name)?.[what] ?? 0), 0);
      return { count: Math.min(most, sum("count")), unread: Math.min(most, sum("unread")) };
    };
    return {
      views: {
        open: sumOf("unassigned", "assigned"),
        mine: sumOf("mine"),
        unassigned: sumOf("unassigned"),
        mentions: sumOf("mentions"),
        handoff: sumOf("handoff"),
        snoozed: sumOf("snoozed"),
        resolved: sumOf("resolved"),
        all: sumOf("unassigned", "assigned", "snoozed", "resolved"),
      },
      number,
    };
  },
};

/** Open conversations that somebody has are looked through for one's own, up to so many. */
const LOOKED_AT = 10_000;
