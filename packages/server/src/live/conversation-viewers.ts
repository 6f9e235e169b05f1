import { VIEWING_LEASE_MS } from "@frontdesk/core/contract/live";
import type { PresenceDetails } from "../conversations/get-presence-details.ts";
import { presentFace } from "../conversations/present-face.ts";
import type { PubSub } from "../pub-sub.ts";
import type { Subscriber } from "./subscriber.ts";
import { type Say, teamViews, type ViewingAgent, viewingFrame, viewKey } from "./team-views.ts";

const TOPIC = "viewers";
/** Conversations that one stream may have open: a bound against clients that would open them all. */
const MOST_OPEN = 50;

/** Which agents have which conversations open at this moment, sent to the other agents. Never stored, never replayed. */
export interface ConversationViewers {
  /** A stream is live: an agent's stream is sent who has what open. Returns what to call when it ends. */
  arrive(subscriber: Subscriber, say: Say): () => void;
  /** An agent has a conversation open; to be repeated before `VIEWING_LEASE_MS` is over. */
  views(subscriber: Subscriber, conversationId: string, viewing: boolean): void;
}

/** What processes publish; `left` is how long it is valid, and 0 ends it. */
type ViewMessage = { from: string; team: string } & (
  | { kind: "views"; conversationId: string; agent: ViewingAgent; left: number }
  | { kind: "ask" }
);

export interface ConversationViewersParts {
  pubSub: PubSub;
  /** Unique to this process. */
  processId: string;
  /** @throws Refusal when the conversation does not exist */
  presenceDetails(teamId: string, asked: { conversationId: string; agentId: string }): Promise<PresenceDetails>;
}

/**
 * The client of an agent repeats that a conversation is open; after a minute without it the view has ended, whether the tab,
 * the network or the server is gone. So no process has to know what another one holds, and none has to announce an end.
 */
export function createConversationViewers({
  pubSub,
  processId,
  presenceDetails,
}: ConversationViewersParts): ConversationViewers {
  const teams = teamViews();
  /** What each stream has open. */
  const open = new WeakMap<Subscriber, Set<string>>();

  pubSub.subscribe(TOPIC, (text) => receive(JSON.parse(text) as ViewMessage));

  return { arrive, views };

  function arrive(subscriber: Subscriber, say: Say): () => void {
    const { teamId, viewer, agentId } = subscriber;
    if (viewer.kind !== "agent") return () => {};
    const team = teams.open(teamId, () => publish(teamId, { kind: "ask" }));
    team.streams.set(subscriber, say);
    for (const view of team.views.values()) if (view.agent.id !== agentId) say(viewingFrame(view, true));
    return () => {
      team.streams.delete(subscriber);
      for (const conversationId of open.get(subscriber) ?? []) views(subscriber, conversationId, false);
      if (team.streams.size === 0) teams.remove(teamId);
    };
  }

  function views(subscriber: Subscriber, conversationId: string, viewing: boolean): void {
    const { teamId, viewer, agentId } = subscriber;
    if (viewer.kind !== "agent" || agentId === undefined) return;
    const ofStream = open.get(subscriber) ?? new Set();
    open.set(subscriber, ofStream);
    if (viewing && ofStream.size < MOST_OPEN) ofStream.add(conversationId);
    else ofStream.delete(conversationId);
    const known = teams.find(teamId)?.views.get(viewKey(agentId, conversationId));
    if (known) change(teamId, known.agent, conversationId, ofStream.has(conversationId));
    else if (ofStream.has(conversationId)) lookUpThenChange(teamId, agentId, conversationId, ofStream);
  }

  function lookUpThenChange(teamId: string, agentId: string, conversationId: string, ofStream: Set<string>): void {
    presenceDetails(teamId, { conversationId, agentId }).then(
      ({ agent }) => {
        if (agent && ofStream.has(conversationId)) change(teamId, presentFace(agent), conversationId, true);
      },
      // The conversation does not exist, or cannot be read at present.
      () => ofStream.delete(conversationId),
    );
  }

  function change(teamId: string, agent: ViewingAgent, conversationId: string, viewing: boolean): void {
    const left = viewing ? VIEWING_LEASE_MS : 0;
    teams.hold(teamId, { agent, conversationId, left });
    publish(teamId, { kind: "views", agent, conversationId, left });
  }

  function publish(teamId: string, message: object): void {
    pubSub.publish(TOPIC, JSON.stringify({ from: processId, team: teamId, ...message }));
  }

  function receive(message: ViewMessage): void {
    const team = teams.find(message.team);
    if (message.from === processId || !team) return;
    if (message.kind === "views") {
      teams.hold(message.team, message);
      return;
    }
    const now = performance.now();
    for (const { agent, conversationId, until } of team.views.values()) {
      if (until > now) publish(message.team, { kind: "views", agent, conversationId, left: until - now });
    }
  }
}
