/**
 * What an agent tells of themselves at this moment: which conversation they look at, where they type, whether they are away. Nothing of
 * it is kept; what is lost on the way is over by itself a little later.
 */
import type { Clock } from "./clock.ts";
import type { MomentToSend } from "./live-transports.ts";

/** While the agent goes on typing, how often that is told. */
const TYPING_STEP_MS = 3_000;
/** Without another frame, typing is over on the other screens after so long. */
export const TYPING_MS = 8_000;
/** Whoever has a conversation open says so again in time: after 60 s they count as gone. */
const VIEWING_STEP_MS = 25_000;
/** Whoever only passes by a conversation does not look at it. */
const VIEWING_AFTER_MS = 500;
/** So many moments are told in so long, and no more: the service closes a stream with more than 30 frames in that time. */
const MOMENTS_MAX = 20;
const MOMENTS_WINDOW_MS = 10_000;

export interface AgentPresence {
  startViewing(conversationId: string): void;
  stopViewing(conversationId: string): void;
  /** To be called with every key; it is told as often as is useful. */
  typing(conversationId: string, isTyping: boolean): void;
  /** A draft was stored: teammates look for it some time after the last frame about typing, which has to come after that. */
  draftStored(conversationId: string): void;
  away(isAway: boolean): void;
  /** The service has forgotten: a connection is there again. */
  resend(): void;
  stop(): void;
}

/** @param send loses what no connection carries */
export function agentPresence(clock: Clock, send: (moment: MomentToSend) => void): AgentPresence {
  const lookedAt = new Map<string, { isTold: boolean; cancel: () => void }>();
  const typingTold = new Map<string, number>();
  /** When the latest ones were told. */
  let toldAt: number[] = [];
  let isAway = false;

  return {
    startViewing(conversationId) {
      const cancel = clock.after(VIEWING_AFTER_MS, () => tellViewing(conversationId));
      lookedAt.set(conversationId, { isTold: false, cancel });
    },
    stopViewing(conversationId) {
      const looked = lookedAt.get(conversationId);
      looked?.cancel();
      lookedAt.delete(conversationId);
      if (looked?.isTold) tell({ type: "viewing", conversation_id: conversationId, viewing: false });
    },
    typing(conversationId, isTyping) {
      const told = typingTold.get(conversationId) ?? 0;
      if (isTyping ? clock.now() < told + TYPING_STEP_MS : told === 0) return;
      tellTyping(conversationId, isTyping);
    },
    draftStored(conversationId) {
      const told = typingTold.get(conversationId);
      // Nothing that is over on the other screens begins anew there.
      if (told !== undefined) tellTyping(conversationId, clock.now() < told + TYPING_MS);
    },
    away(next) {
      if (next === isAway) return;
      isAway = next;
      tellAway();
    },
    resend() {
      for (const conversationId of lookedAt.keys()) tellViewing(conversationId);
      for (const [conversationId, told] of typingTold) {
        if (clock.now() < told + TYPING_MS) tellTyping(conversationId, true);
      }
      if (isAway) tellAway();
    },
    stop() {
      for (const { cancel } of lookedAt.values()) cancel();
    },
  };

  function tellTyping(conversationId: string, typing: boolean): void {
    if (typing) typingTold.set(conversationId, clock.now());
    else typingTold.delete(conversationId);
    tell({ type: "typing", conversation_id: conversationId, typing });
  }

  function tellViewing(conversationId: string): void {
    const looked = lookedAt.get(conversationId);
    if (!looked) return;
    looked.cancel();
    looked.isTold = true;
    tell({ type: "viewing", conversation_id: conversationId, viewing: true });
    looked.cancel = clock.after(VIEWING_STEP_MS, () => tellViewing(conversationId));
  }

  function tellAway(): void {
    send({ type: "away", away: isAway });
  }

  function tell(moment: MomentToSend): void {
    const now = clock.now();
    toldAt = toldAt.filter((at) => at > now - MOMENTS_WINDOW_MS);
    if (toldAt.length >= MOMENTS_MAX) return;
    toldAt.push(now);
    send(moment);
  }
}
