/**
 * The presence of this agent, as it is sent: which conversations they view, where they type, whether they are away. None of it is
 * stored; the service ends by itself what is not sent again.
 */
import type { Clock } from "./clock.ts";
import type { MomentToSend } from "./live-transports.ts";

/** While the agent goes on typing, how often that is sent. */
const TYPING_STEP_MS = 3_000;
/** Without another frame, typing is over on the other screens after so long. */
export const TYPING_MS = 8_000;
/** Viewing is sent again in time: it is over 60 s after the last frame. */
const VIEWING_STEP_MS = 25_000;
/** A conversation that is only passed by is not viewed. */
const VIEWING_AFTER_MS = 500;
/** So many frames are sent in so long, and no more: the service closes a stream with more than 30 frames in that time. */
const MOMENTS_MAX = 20;
const MOMENTS_WINDOW_MS = 10_000;

export interface AgentPresence {
  startViewing(conversationId: string): void;
  stopViewing(conversationId: string): void;
  /** To be called with every key; sent as often as is useful. */
  typing(conversationId: string, isTyping: boolean): void;
  /** A draft was stored: teammates look for it some time after the last frame about typing, which has to come after that. */
  draftStored(conversationId: string): void;
  away(isAway: boolean): void;
  /** There is a new connection: what was sent over the last one is lost. */
  resend(): void;
  stop(): void;
}

/** @param send loses what no connection carries */
export function agentPresence(clock: Clock, send: (moment: MomentToSend) => void): AgentPresence {
  const lookedAt = new Map<string, { isSent: boolean; cancel: () => void }>();
  const typingSentAt = new Map<string, number>();
  /** When the latest frames were sent. */
  let sentAt: number[] = [];
  let isAway = false;

  return {
    startViewing(conversationId) {
      const cancel = clock.after(VIEWING_AFTER_MS, () => sendViewing(conversationId));
      lookedAt.set(conversationId, { isSent: false, cancel });
    },
    stopViewing(conversationId) {
      const looked = lookedAt.get(conversationId);
      looked?.cancel();
      lookedAt.delete(conversationId);
      if (looked?.isSent) sendBounded({ type: "viewing", conversation_id: conversationId, viewing: false });
    },
    typing(conversationId, isTyping) {
      const at = typingSentAt.get(conversationId) ?? 0;
      if (isTyping ? clock.now() < at + TYPING_STEP_MS : at === 0) return;
      sendTyping(conversationId, isTyping);
    },
    draftStored(conversationId) {
      const at = typingSentAt.get(conversationId);
      // Nothing that is over on the other screens begins anew there.
      if (at !== undefined) sendTyping(conversationId, clock.now() < at + TYPING_MS);
    },
    away(next) {
      if (next === isAway) return;
      isAway = next;
      sendAway();
    },
    resend() {
      for (const conversationId of lookedAt.keys()) sendViewing(conversationId);
      for (const [conversationId, at] of typingSentAt) {
        if (clock.now() < at + TYPING_MS) sendTyping(conversationId, true);
      }
      if (isAway) sendAway();
    },
    stop() {
      for (const { cancel } of lookedAt.values()) cancel();
    },
  };

  function sendTyping(conversationId: string, typing: boolean): void {
    if (typing) typingSentAt.set(conversationId, clock.now());
    else typingSentAt.delete(conversationId);
    sendBounded({ type: "typing", conversation_id: conversationId, typing });
  }

  function sendViewing(conversationId: string): void {
    const looked = lookedAt.get(conversationId);
    if (!looked) return;
    looked.cancel();
    looked.isSent = true;
    sendBounded({ type: "viewing", conversation_id: conversationId, viewing: true });
    looked.cancel = clock.after(VIEWING_STEP_MS, () => sendViewing(conversationId));
  }

  function sendAway(): void {
    send({ type: "away", away: isAway });
  }

  function sendBounded(moment: MomentToSend): void {
    const now = clock.now();
    sentAt = sentAt.filter((at) => at > now - MOMENTS_WINDOW_MS);
    if (sentAt.length >= MOMENTS_MAX) return;
    sentAt.push(now);
    send(moment);
  }
}
