/** What a thread shows, from top to bottom: messages in groups, the days between them, and where the unread ones begin. */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { isSameDay } from "../texts/dates.ts";

/** A message that was written here and is not confirmed yet. */
export interface WaitingMessage {
  client_id: string;
  type: "message" | "note";
  content: string;
  attachments: readonly { url: string; name?: string | null | undefined }[];
  /** Why it was not taken; null while it is on its way. */
  problem: string | null;
  /** It was not taken because somebody of the team was faster. */
  overtaken: boolean;
}

export type ThreadItem =
  | { kind: "day"; key: string; at: string }
  | { kind: "new"; key: string }
  | { kind: "message"; key: string; message: LiveMessage; first: boolean; last: boolean }
  | { kind: "waiting"; key: string; waiting: WaitingMessage };

/** Messages of one sender that follow each other so closely are one group. */
const GROUP_MS = 5 * 60_000;

/**
 * @param messages by sort number
 * @param newAfter the highest sort number that had been read when the conversation was opened; undefined when all was
 */
export function threadItems(
  messages: readonly LiveMessage[],
  waiting: readonly WaitingMessage[],
  newAfter: number | undefined,
): ThreadItem[] {
  const items: ThreadItem[] = [];
  let isNew = false;
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (!before || !isSameDay(before.created_at, message.created_at)) {
      items.push({ kind: "day", key: `day-${message.created_at.slice(0, 10)}-${message.id}`, at: message.created_at });
    }
    if (!isNew && newAfter !== undefined && message.sort_number > newAfter && message.from === "visitor") {
      isNew = true;
      items.push({ kind: "new", key: "new" });
    }
    items.push({
      kind: "message",
      // The bubble that was painted when it was sent stays the same one.
      key: message.client_id ?? message.id,
      message,
      first: !before || !isOneGroup(before, message),
      last: !messages[index + 1] || !isOneGroup(message, messages[index + 1] as LiveMessage),
    });
  });
  for (const each of waiting) items.push({ kind: "waiting", key: each.client_id, waiting: each });
  return items;
}

function isOneGroup(one: LiveMessage, next: LiveMessage): boolean {
  return (
    one.from === next.from &&
    one.type === next.type &&
    one.agent?.id === next.agent?.id &&
    one.sent_via === next.sent_via &&
    isSameDay(one.created_at, next.created_at) &&
    Date.parse(next.created_at) - Date.parse(one.created_at) < GROUP_MS
  );
}
