import { VIEWING_LEASE_MS, type ViewingNowFrame } from "@frontdesk/core/contract/live";
import { presentFace } from "../conversations/present-face.ts";
import type { WhoTypes } from "../conversations/tell-who-types.ts";
import type { PubSub } from "../pub-sub.ts";
import type { Subscriber } from "./subscriber.ts";

const TOPIC = "viewers";
const SWEEP_MS = 5_000;
/** Conversations that one stream has open: for those that would open them all. */
const MOST_OPEN = 50;

/** Which agents have which conversations open at this moment, told to the other agents. Never stored, never replayed. */
export interface ConversationViewers {
  /** A stream is live: of agents, it is told who has what open. Answers what to call when it ends. */
  arrive(subscriber: Subscriber, say: Say): () => void;
  /** An agent has a conversation open; to be said again before `VIEWING_LEASE_MS` is over. */
  views(subscriber: Subscriber, conversationId: string, viewing: boolean): void;
}

type Say = (frame: object) => void;
type Agent = ViewingNowFrame["agent"];

interface View {
  conversationId: string;
  agent: Agent;
  /** When it is over unless it is said again, by `performance.now()`. */
  until: number;
}

/** What agents of a team have open, in whatever process they are. */
interface TeamViews {
  streams: Map<Subscriber, Say>;
  views: Map<string, View>;
}

/** What processes tell one another; `left` is how long it holds, and 0 says that it is over. */
type Word = { from: string; team: string } & (
  | { kind: "views"; conversationId: string; agent: Agent; left: number }
  | { kind: "ask" }
);

export interface ConversationViewersParts {
  pubSub: PubSub;
  /** Of this process, unlike any other. */
  processId: string;
  /** @throws Refusal when there is no such conversation */
  whoViews(teamId: string, asked: { conversationId: string; agentId: string }): Promise<WhoTypes>;
}

/**
 * An agent who looks says so again and again; whoever has not for a minute has gone, whatever became of their tab, their
 * network or their server. So no process has to know what another one holds, and none is asked to tell the end of it.
 */
export function createConversationViewers({
  pubSub,
  processId,
  whoViews,
}: ConversationViewersParts): ConversationViewers {
  const teams = new Map<string, TeamViews>();
  /** What each stream has open. */
  const open = new WeakMap<Subscriber, Set<string>>();
  let sweeping: NodeJS.Timeout | undefined;

  pubSub.subscribe(TOPIC, (text) => hear(JSON.parse(text) as Word));

  return { arrive, views };

  function arrive(subscriber: Subscriber, say: Say): () => void {
    const { teamId, viewer, agentId } = subscriber;
    if (viewer.kind !== "agent") return () => {};
    const team = teamOf(teamId);
    team.streams.set(subscriber, say);
    for (const view of team.views.values()) if (view.agent.id !== agentId) say(frameOf(view, true));
    return () => {
      team.streams.delete(subscriber);
      for (const conversationId of open.get(subscriber) ?? []) views(subscriber, conversationId, false);
      if (team.streams.size === 0) teams.delete(teamId);
    };
  }

  function views(subscriber: Subscriber, conversationId: string, viewing: boolean): void {
    const { teamId, viewer, agentId } = subscriber;
    if (viewer.kind !== "agent" || agentId === undefined) return;
    const mine = open.get(subscriber) ?? new Set();
    open.set(subscriber, mine);
    if (viewing && mine.size < MOST_OPEN) mine.add(conversationId);
    else mine.delete(conversationId);
    const known = teams.get(teamId)?.views.get(keyOf(agentId, conversationId));
    if (known) tell(teamId, known.agent, conversationId, mine.has(conversationId));
    else if (mine.has(conversationId)) lookUpAndTell(teamId, agentId, conversationId, mine);
  }

  function lookUpAndTell(teamId: string, agentId: string, conversationId: string, mine: Set<string>): void {
    whoViews(teamId, { conversationId, agentId }).then(
      ({ agent }) => {
        if (!agent || !mine.has(conversationId)) return;
        tell(teamId, presentFace(agent), conversationId, true);
      },
      // There is no such conversation, or nobody can look for it at present.
      () => mine.delete(conversationId),
    );
  }

  function tell(teamId: string, agent: Agent, conversationId: string, viewing: boolean): void {
    const left = viewing ? VIEWING_LEASE_MS : 0;
    hold(teamId, { agent, conversationId, left });
    say(teamId, { kind: "views", agent, conversationId, left });
  }

  /** Keeps that an agent looks for so long, and tells the others when that is new, or over. */
  function hold(
    teamId: string,
    { agent, conversationId, left }: { agent: Agent; conversationId: string; left: number },
  ) {
    const team = teams.get(teamId);
    if (!team) return;
    const key = keyOf(agent.id, conversationId);
    const before = team.views.get(key);
    const view: View = { agent, conversationId, until: performance.now() + left };
    if (left > 0) team.views.set(key, view);
    else team.views.delete(key);
    if ((before === undefined) === left > 0) tellStreams(team, view, left > 0);
    if (left > 0) sweeping ??= setInterval(sweep, SWEEP_MS).unref();
  }

  function tellStreams(team: TeamViews, view: View, viewing: boolean): void {
    for (const [subscriber, say] of team.streams) {
      if (subscriber.agentId !== view.agent.id) say(frameOf(view, viewing));
    }
  }

  /** Forgets whoever has not said again that they look. */
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
        tellStreams(team, view, false);
      }
    }
    if (some) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  // Other processes

  function say(teamId: string, word: object): void {
    pubSub.publish(TOPIC, JSON.stringify({ from: processId, team: teamId, ...word }));
  }

  function hear(word: Word): void {
    if (word.from === processId || !teams.has(word.team)) return;
    if (word.kind === "views") {
      hold(word.team, word);
      return;
    }
    const now = performance.now();
    for (const { agent, conversationId, until } of teams.get(word.team)?.views.values() ?? []) {
      if (until > now) say(word.team, { kind: "views", agent, conversationId, left: until - now });
    }
  }

  function teamOf(teamId: string): TeamViews {
    const known = teams.get(teamId);
    if (known) return known;
    const team: TeamViews = { streams: new Map(), views: new Map() };
    teams.set(teamId, team);
    say(teamId, { kind: "ask" });
    return team;
  }
}

const keyOf = (agentId: string, conversationId: string): string => `${agentId} ${conversationId}`;

function frameOf({ agent, conversationId }: View, viewing: boolean): ViewingNowFrame {
  return { type: "viewing", conversation_id: conversationId, agent, viewing };
}
