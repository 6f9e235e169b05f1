import type { TypingNowFrame } from "@frontdesk/core/contract/live";
import { presentFace } from "../conversations/present-face.ts";
import type { WhoTypes } from "../conversations/tell-who-types.ts";
import type { Subscriber } from "./subscriber.ts";

/** Conversations that one stream types in, and that are remembered: a person types in one or two. */
const MOST_CONVERSATIONS = 50;

export interface Typing {
  /** A stream says that it types in a conversation, or has stopped. */
  types(subscriber: Subscriber, conversationId: string, isTyping: boolean): void;
  /** The stream has ended: it types nowhere. */
  ends(subscriber: Subscriber): void;
}

export interface TypingParts {
  /** @throws Refusal when there is no such conversation */
  whoTypes(teamId: string, asked: { conversationId: string; agentId: string | undefined }): Promise<WhoTypes>;
  /** A frame for the team, and for the contact where it is about an agent. */
  tell(subscriber: Subscriber, contactId: string | null, frame: TypingNowFrame): void;
}

/** Who types where: never stored, never replayed. */
export function createTyping({ whoTypes, tell }: TypingParts): Typing {
  const known = new WeakMap<Subscriber, Map<string, { who: Promise<WhoTypes | undefined>; isTyping: boolean }>>();

  return {
    types,
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
    const who = ofStream.get(conversationId)?.who ?? findWhoTypes(subscriber, conversationId);
    if (ofStream.size > MOST_CONVERSATIONS) ofStream.clear();
    ofStream.set(conversationId, { who, isTyping });
    void who.then((found: WhoTypes | undefined) => {
      if (found) tell(subscriber, found.contactId, typingFrame(subscriber, conversationId, found, isTyping));
    });
  }

  /** Undefined where the subscriber may not type, or there is no such conversation. */
  function findWhoTypes(
    { viewer, teamId, agentId }: Subscriber,
    conversationId: string,
  ): Promise<WhoTypes | undefined> {
    return whoTypes(teamId, { conversationId, agentId }).then(
      (who) => (viewer.kind === "agent" || who.contactId === viewer.contactId ? who : undefined),
      () => undefined,
    );
  }
}

function typingFrame(
  subscriber: Subscriber,
  conversationId: string,
  { agent }: WhoTypes,
  typing: boolean,
): TypingNowFrame {
  return {
    type: "typing",
    conversation_id: conversationId,
    from: subscriber.viewer.kind === "visitor" ? "visitor" : "agent",
    agent: agent ? presentFace(agent) : null,
    typing,
  };
}
