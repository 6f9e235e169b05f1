import type { OwnReadFrame } from "@frontdesk/core/contract/live";
import type { PubSub } from "../pub-sub.ts";
import type { Subscriber } from "./subscriber.ts";

const TOPIC = "own-reads";

/** What an agent has read at one of their screens. */
export interface OwnRead {
  team: string;
  agentId: string;
  conversationId: string;
  readNumber: number;
}

/** Tells the other screens of an agent what they have read, in every process. A lost one is made up for by the next fetch. */
export interface OwnReads {
  /** A stream is live: it gets the reads of its agent. Returns what to call when it ends. */
  arrive(subscriber: Subscriber, say: (frame: object) => void): () => void;
  publish(read: OwnRead): void;
}

export function createOwnReads(pubSub: PubSub, processId: string): OwnReads {
  const streams = new Map<string, Set<(frame: object) => void>>();
  const keyOf = (team: string, agentId: string) => `${team} ${agentId}`;

  pubSub.subscribe(TOPIC, (text) => {
    const { from, ...read } = JSON.parse(text) as OwnRead & { from: string };
    if (from !== processId) send(read);
  });

  return {
    arrive({ teamId, viewer, agentId }, say) {
      if (viewer.kind !== "agent" || agentId === undefined) return () => {};
      const key = keyOf(teamId, agentId);
      const ofAgent = streams.get(key) ?? new Set();
      streams.set(key, ofAgent.add(say));
      return () => {
        ofAgent.delete(say);
        if (ofAgent.size === 0) streams.delete(key);
      };
    },
    publish(read) {
      send(read);
      pubSub.publish(TOPIC, JSON.stringify({ from: processId, ...read }));
    },
  };

  function send({ team, agentId, conversationId, readNumber }: OwnRead): void {
    const frame: OwnReadFrame = { type: "own-read", conversation_id: conversationId, read_number: readNumber };
    for (const say of streams.get(keyOf(team, agentId)) ?? []) say(frame);
  }
}
