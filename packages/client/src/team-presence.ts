/**
 * Who types, views and is online, as the stream reports it. Typing ends without another frame, and then teammates' drafts are
 * fetched:
 *
 *   not typing --typing: true--> typing --typing: false, a message of theirs, 8 s--> not typing
 *   a draft of the AI --withdrawn, 8 s without a frame of it or of the AI's typing--> no draft
 *   any frame about a teammate's typing --4 s without another--> the details are fetched, with `drafts_of_others`
 */

import { TYPING_MS } from "./agent-presence.ts";
import { withoutAiDraft } from "./ai-drafts-in-inbox.ts";
import { applyTeamPresence, type TeamPresenceUpdate, withoutPresence, withoutTypist } from "./apply-team-event.ts";
import type { InboxContext } from "./inbox-context.ts";
import type { Typist } from "./inbox-state.ts";

/** A teammate's last typing frame comes after their draft was stored (agent-presence.ts). */
const LOOK_FOR_DRAFTS_MS = 4_000;

export interface TeamPresence {
  onPresence(frame: TeamPresenceUpdate): void;
  /** The connection is lost: typists and viewers are unknown. */
  forget(): void;
  stop(): void;
}

/** @param refreshDetails fetches an open conversation for its drafts, which have no events */
export function teamPresence(
  { store, clock }: InboxContext,
  refreshDetails: (conversationId: string) => unknown,
): TeamPresence {
  /** By conversation and typist, and by conversation; each value cancels its timer. */
  const typingTimers = new Map<string, () => void>();
  const draftTimers = new Map<string, () => void>();

  return {
    onPresence(frame) {
      store.inbox = applyTeamPresence(store.inbox, frame);
      if (frame.type === "draft" || (frame.type === "typing" && frame.by_ai)) endDraftLater(frame.conversation_id);
      if (frame.type === "typing") {
        endTypingLater(frame.conversation_id, frame.agent, frame.typing);
        if (frame.from !== "visitor") lookForDrafts(frame.conversation_id);
      }
      store.changed();
    },
    forget() {
      store.inbox = withoutPresence(store.inbox);
    },
    stop() {
      for (const timers of [typingTimers, draftTimers]) {
        for (const cancel of timers.values()) cancel();
        timers.clear();
      }
    },
  };

  function endTypingLater(conversationId: string, typist: Typist, isTyping: boolean): void {
    const key = `${conversationId} ${typist?.id}`;
    setTimer(typingTimers, key, isTyping ? TYPING_MS : undefined, () => {
      store.inbox = withoutTypist(store.inbox, conversationId, typist);
      store.changed();
    });
  }

  function endDraftLater(conversationId: string): void {
    const key = `${conversationId} draft`;
    setTimer(typingTimers, key, store.inbox.aiDrafts.has(conversationId) ? TYPING_MS : undefined, () => {
      store.inbox = withoutAiDraft(store.inbox, conversationId);
      store.changed();
    });
  }

  function lookForDrafts(conversationId: string): void {
    setTimer(draftTimers, conversationId, LOOK_FOR_DRAFTS_MS, () => refreshDetails(conversationId));
  }

  /** Replaces the timer of this key; with `ms` undefined it is only cancelled. */
  function setTimer(timers: Map<string, () => void>, key: string, ms: number | undefined, act: () => void): void {
    timers.get(key)?.();
    timers.delete(key);
    if (ms === undefined) return;
    const cancel = clock.after(ms, () => {
      timers.delete(key);
      act();
    });
    timers.set(key, cancel);
  }
}
