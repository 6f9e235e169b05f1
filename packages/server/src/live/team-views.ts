import type { ViewingNowFrame } from "@frontdesk/core/contract/live";
import type { Subscriber } from "./subscriber.ts";

const SWEEP_MS = 5_000;

export type Say = (frame: object) => void;
export type ViewingAgent = ViewingNowFrame["agent"];

export interface View {
  conversationId: string;
  agent: ViewingAgent;
  /** When it ends unless it is renewed, by `performance.now()`. */
  until: number;
}

/** What agents of a team have open, in any process. */
export interface TeamViews {
  streams: Map<Subscriber, Say>;
  views: Map<string, View>;
}

/**
 * The views of all teams that have a stream here. A view:
 *
 * ```
 *            an agent looks                 says that it is over, or nothing for a minute
 *   (none) -----------------> held, leased -----------------------------------------------> (none)
 *                               |      ^
 *                               '------' renewed
 * ```
 * The streams of the other agents are sent the first and the last arrow.
 */
export function teamViews() {
  const teams = new Map<string, TeamViews>();
  let sweeping: NodeJS.Timeout | undefined;

  return {
    find: (teamId: string): TeamViews | undefined => teams.get(teamId),
    /** @param onCreate called when it was not there */
    open(teamId: string, onCreate: () => void): TeamViews {
      const known = teams.get(teamId);
      if (known) return known;
      const team: TeamViews = { streams: new Map(), views: new Map() };
      teams.set(teamId, team);
      onCreate();
      return team;
    },
    remove: (teamId: string) => teams.delete(teamId),
    /** Holds that an agent has a conversation open for this many ms more; 0 ends it. */
    hold(
      teamId: string,
      { agent, conversationId, left }: { agent: ViewingAgent; conversationId: string; left: number },
    ): void {
      const team = teams.get(teamId);
      if (!team) return;
      const key = viewKey(agent.id, conversationId);
      const before = team.views.get(key);
      const view: View = { agent, conversationId, until: performance.now() + left };
      if (left > 0) team.views.set(key, view);
      else team.views.delete(key);
      if ((before === undefined) === left > 0) sendView(team, view, left > 0);
      if (left > 0) sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    },
  };

  /** Ends the views that were not renewed. */
  function sweep(): void {
    const now = performance.now();
    let some = false;
    for (const team of teams.values()) {
      for (const [key, view] of team.views) {
        if (view.until > now) {
          some = true;
          continue;
        }
        team.views.delete(key);
        sendView(team, view, false);
      }
    }
    if (some) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }
}

function sendView(team: TeamViews, view: View, viewing: boolean): void {
  for (const [subscriber, say] of team.streams) {
    if (subscriber.agentId !== view.agent.id) say(viewingFrame(view, viewing));
  }
}

export const viewKey = (agentId: string, conversationId: string): string => `${agentId} ${conversationId}`;

export function viewingFrame({ agent, conversationId }: View, viewing: boolean): ViewingNowFrame {
  return { type: "viewing", conversation_id: conversationId, agent, viewing };
}
