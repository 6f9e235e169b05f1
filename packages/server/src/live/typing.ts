import type { TypingNowFrame } from "@frontdesk/core/contract/live";
import { presentFace } from "../conversations/present-face.ts";
import type { WhoTypes } from "../conversations/tell-who-types.ts";
import type { Listener } from "./who-listens.ts";

/** Conversations that one stream types in, and that are remembered: a person types in one or two. */
const MOST_CONVERSATIONS = 50;

export interface Typing {
  /** A stream says that it types in a conversation, or has stopped. */
  types(listener: Listener, conversationId: string, isTyping: boolean): void;
  /** The stream has ended: it types nowhere. */
  ends(listener: Listener): void;
}

export interface TypingParts {
  /** @throws Refusal when there is no such conversation */
  whoTypes(teamId: string, asked: { conversationId: string; agentId: string | undefined }): Promise<WhoTypes>;
  /** A frame for the team, and for the contact where it is about an agent. */
  tell(listener: Listener, contactId: string, frame: TypingNowFrame): void;
}

/** Who types where: never stored, never replayed. */
export function createTyping({ whoTypes, tell }: TypingParts): Typing {
  const known = new WeakMap<Listener, Map<string, { who: Promise<WhoTypes | undefined>; isTyping: boolean }>>();

  return {
    types,
    ends(listener) {
      for (const [conversationId, { isTyping }] of known.get(listener) ?? []) {
        if (isTyping) types(listener, conversationId, false);
      }
    },
  };

  function types(listener: Listener, conversationId: string, isTyping: boolean): void {
    if (!listener.mayType) return;
    const ofStream = known.get(listener) ?? new Map();
    known.set(listener, ofStream);
    const who = ofStream.get(conversationId)?.who ?? findWhoTypes(listener, conversationId);
    if (ofStream.size > MOST_CONVERSATIONS) ofStream.clear();
    ofStream.set(conversationId, { who, isTyping });
    void who.then((found: WhoTypes | undefined) => {
      if (found) tell(listener, found.contactId, typingFrame(listener, conversationId, found, isTyping));
    });
  }

  /** Undefined where the listener may not type, or there is no such conversation. */
  function findWhoTypes({ viewer, teamId, agentId }: Listener, conversationId: string): Promise<WhoTypes | undefined> {
    return whoTypes(teamId, { conversationId, agentId }).then(
      (who) => (viewer.kind === "agent" || who.contactId === viewer.contactId ? who : undefined),
      () => undefined,
    );
  }
}

function typingFrame(listener: Listener, conversationId: string, { agent }: WhoTypes, typing: boolean): TypingNowFrame {
  return {
    type: "typing",
    conversation_id: conversationId,
    from: listener.viewer.kind === "visitor" ? "visitor" : "agent",
    agent: agent ? presentFace(agent) : null,
    typing,
  };
}
