/** The items of a thread, from top to bottom: grouped messages, day separators, and the start of the unread ones. */
import type { AiDraft } from "@frontdesk/client/agent";
import type { LiveMessage, TimelineEntry } from "@frontdesk/core/contract/live";
import { type Day, dayAround, isWithin } from "../texts/dates.ts";

/** A message of this agent that is not confirmed yet. */
export interface WaitingMessage {
  client_id: string;
  type: "message" | "note";
  content: string;
  attachments: readonly { url: string; name?: string | null | undefined }[];
  /** Why it was refused; null while it is on its way. */
  problem: string | null;
  /** It was refused because a teammate has replied first. */
  overtaken: boolean;
  /** While it can be undone: when it is sent, in ms since 1970. */
  hold?: Hold | undefined;
}

export interface Hold {
  readonly until: number;
  readonly isUndoing: boolean;
}

export type ThreadItem =
  | { kind: "day"; key: string; at: string }
  | { kind: "new"; key: string }
  | { kind: "message"; key: string; message: LiveMessage; first: boolean; last: boolean }
  | { kind: "entry"; key: string; entry: TimelineEntry }
  | { kind: "draft"; key: string; draft: AiDraft }
  | { kind: "waiting"; key: string; waiting: WaitingMessage };

/** Messages of one sender within this time form a group. */
const GROUP_MS = 5 * 60_000;

/**
 * The message items. Threads may be long, and this runs with every new message.
 *
 * @param messages by sort number
 * @param newAfter the highest sort number read when the conversation was opened; undefined when all was read
 * @param hasBefore older messages are not loaded: it is unknown whether the day of the first one begins with it, and a
 *   separator that disappears when they load would move the text that the agent reads
 */
export function threadItems(
  messages: readonly LiveMessage[],
  newAfter: number | undefined,
  hasBefore = false,
): ThreadItem[] {
  const items: ThreadItem[] = [];
  let isNew = false;
  let day: Day | undefined;
  let before: (Extract<ThreadItem, { kind: "message" }> & { time: number }) | undefined;
  for (const message of messages) {
    const time = Date.parse(message.created_at);
    const isSameDay = day !== undefined && isWithin(day, time);
    if (!isSameDay) {
      day = dayAround(time);
      if (before || !hasBefore) items.push({ kind: "day", key: `day-${message.id}`, at: message.created_at });
    }
    if (!isNew && newAfter !== undefined && message.sort_number > newAfter && message.from === "visitor") {
      isNew = true;
      items.push({ kind: "new", key: "new" });
    }
    const first = !isSameDay || !before || time - before.time >= GROUP_MS || !isOfOneKind(before.message, message);
    if (before) before.last = first;
    // The key stays the same once the message is confirmed.
    before = { kind: "message", key: message.client_id ?? message.id, message, first, last: true, time };
    items.push(before);
  }
  return items;
}

/** Appends what the AI is about to say. */
export function withDraft(items: readonly ThreadItem[], draft: AiDraft | null): readonly ThreadItem[] {
  return draft ? [...items, { kind: "draft", key: "draft", draft }] : items;
}

/** Appends the messages that are being sent. */
export function withWaiting(items: readonly ThreadItem[], waiting: readonly WaitingMessage[]): readonly ThreadItem[] {
  if (waiting.length === 0) return items;
  return [...items, ...waiting.map((each) => ({ kind: "waiting" as const, key: each.client_id, waiting: each }))];
}

function isOfOneKind(one: LiveMessage, next: LiveMessage): boolean {
  return (
    one.from === next.from &&
    one.type === next.type &&
    one.agent?.id === next.agent?.id &&
    one.sent_via === next.sent_via
  );
}
