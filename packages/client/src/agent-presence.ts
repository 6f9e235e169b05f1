/**
 * The presence of this agent, as it is sent: which conversations they view, where they type, whether they are away. It is not
 * stored; the service ends each state that is not sent again in time.
 */
import type { Clock } from "./clock.ts";
import type { PresenceToSend } from "./live-transports.ts";

/** Interval at which typing is sent while the agent types. */
const TYPING_STEP_MS = 3_000;
/** Other screens end typing this long after the last frame. */
export const TYPING_MS = 8_000;
/** Interval at which viewing is sent again; the service ends it 60 s after the last frame. */
const VIEWING_STEP_MS = 25_000;
/** A conversation shown for less than this is not reported as viewed. */
const VIEWING_AFTER_MS = 500;
/** At most this many frames are sent per window; the service closes a stream with more than 30 frames in that time. */
const FRAMES_MAX = 20;
const FRAMES_WINDOW_MS = 10_000;

export interface AgentPresence {
  startViewing(conversationId: string): void;
  stopViewing(conversationId: string): void;
  /** Call it on every key press; sending is throttled. */
  typing(conversationId: string, isTyping: boolean): void;
  /** A draft was stored. Teammates fetch it some time after the last typing frame, so one is sent after storing. */
  draftStored(conversationId: string): void;
  away(isAway: boolean): void;
  /** The connection is new: frames sent over the last one are lost. */
  resend(): void;
  stop(): void;
}

/** @param send drops frames while there is no connection */
export function agentPresence(clock: Clock, send: (frame: PresenceToSend) => void): AgentPresence {
  const lookedAt = new Map<string, { isSent: boolean; cancel: () => void }>();
  const typingSentAt = new Map<string, number>();
  /** When the latest frames were sent, in ms since 1970. */
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
      // Typing that has ended on the other screens must not start again there.
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

  function sendBounded(frame: PresenceToSend): void {
    const now = clock.now();
    sentAt = sentAt.filter((at) => at > now - FRAMES_WINDOW_MS);
    if (sentAt.length >= FRAMES_MAX) return;
    sentAt.push(now);
    send(frame);
  }
}
