import { LATEST_MS, PAUSE_MS } from "./queue-turn.ts";
import type { DueTurn } from "./turn-store.ts";

/** Screens say so anew before that. */
const TYPING_MS = 8_000;
/** More of them are looked through for those that are over. */
const MANY = 1_000;

/** Which visitors type now, as far as this process hears of it: their turn waits, so that one answer knows all they write. */
export interface VisitorsTyping {
  /** Who stops may be about to send: their turn waits as after a message. */
  heard(conversationId: string, isTyping: boolean): void;
  /** Whether a turn that is due waits for its visitor; never longer than turns wait for messages. */
  holds(turn: Pick<DueTurn, "conversation_id" | "first_at">): boolean;
}

/** @param now ms since the epoch */
export function visitorsTyping(now: () => number): VisitorsTyping {
  const until = new Map<string, number>();
  return {
    heard(conversationId, isTyping) {
      if (!isTyping && !until.has(conversationId)) return;
      if (until.size > MANY) for (const [id, at] of until) if (at <= now()) until.delete(id);
      until.set(conversationId, now() + (isTyping ? TYPING_MS : PAUSE_MS));
    },
    holds: ({ conversation_id, first_at }) =>
      now() < Math.min(until.get(conversation_id) ?? 0, Number(first_at) + LATEST_MS),
  };
}
