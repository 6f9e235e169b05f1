import type { TypingNowFrame } from "@frontdesk/core/contract/live";
import type { PresenceDetails } from "../conversations/get-presence-details.ts";
import { presentFace } from "../conversations/present-face.ts";
import type { Subscriber } from "./subscriber.ts";

/** Conversations that one stream types in and that are remembered: a person types in one or two. */
const MOST_CONVERSATIONS = 50;

export interface Typing {
  /** A stream has begun or stopped to type in a conversation. */
  types(subscriber: Subscriber, conversationId: string, isTyping: boolean): void;
  /** An agent without a stream, the AI's, has begun or stopped to type. */
  agentTypes(teamId: string, where: { conversationId: string; agentId: string }, isTyping: boolean): void;
  /** The stream has ended: its typing ends everywhere. */
  ends(subscriber: Subscriber): void;
}

export interface TypingParts {
  /** @throws Refusal when there is no such conversation */
  presenceDetails(
    teamId: string,
    asked: { conversationId: string; agentId: string | undefined },
  ): Promise<PresenceDetails>;
  /** Sends a frame to the team, and to the contact when it is about an agent; not to the stream that it comes from. */
  send(teamId: string, contactId: string | null, frame: TypingNowFrame, from?: Subscriber): void;
}

/** Announces typing: never stored, never replayed. */
export function createTyping({ presenceDetails, send }: TypingParts): Typing {
  const known = new WeakMap<
    Subscriber,
    Map<string, { details: Promise<PresenceDetails | undefined>; isTyping: boolean }>
  >();

  return {
    types,
    agentTypes(teamId, { conversationId, agentId }, isTyping) {
      void presenceDetails(teamId, { conversationId, agentId }).then(
        (found) =>
          send(teamId, found.contactId, { ...typingFrame("agent", conversationId, found, isTyping), by_ai: true }),
        () => undefined,
      );
    },
    ends(subscriber) {
      for (const [conversationId, { isTyping }] of known.get(subscriber) ?? []) {
        if (isTyping) types(subscriber, conversationId, false);
      }
    },
  };

  function types(subscriber: Subscriber, conversationId: string, isTyping: boolean): void {
    if (!subscriber.mayType) return;
    const ofStream = known.get(subscriber) ?? new Map();
    known.set(subscriber, ofStream);
    const details = ofStream.get(conversationId)?.details ?? detailsFor(subscriber, conversationId);
    if (ofStream.size > MOST_CONVERSATIONS) ofStream.clear();
    ofStream.set(conversationId, { details, isTyping });
    void details.then((found: PresenceDetails | undefined) => {
      if (!found) return;
      const from = subscriber.viewer.kind === "visitor" ? "visitor" : "agent";
      send(subscriber.teamId, found.contactId, typingFrame(from, conversationId, found, isTyping), subscriber);
    });
  }

  /** Undefined when the subscriber may not type there, or the conversation does not exist. */
  function detailsFor(
    { viewer, teamId, agentId }: Subscriber,
    conversationId: string,
  ): Promise<PresenceDetails | undefined> {
    return presenceDetails(teamId, { conversationId, agentId }).then(
      (details) => (viewer.kind === "agent" || details.contactId === viewer.contactId ? details : undefined),
      () => undefined,
    );
  }
}

function typingFrame(
  from: "visitor" | "agent",
  conversationId: string,
  { agent }: PresenceDetails,
  typing: boolean,
): TypingNowFrame {
  return {
    type: "typing",
    conversation_id: conversationId,
    from,
    agent: agent ? presentFace(agent) : null,
    typing,
  };
}
