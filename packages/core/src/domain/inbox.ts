/**
 * What an agent's inbox shows in which view, and in what order (docs/decisions/0026-inbox.md). The server does the same in SQL,
 * `server/inbox/inbox-store.ts`; here it is done for a conversation that a client holds. A test compares the two.
 */
import type { Speaker } from "./ai/ai-settings.ts";
import type { Channel } from "./channel.ts";

export const inboxViews = [
  "open",
  "waiting",
  "answered",
  "mine",
  "unassigned",
  "mentions",
  "handoff",
  "with_ai",
  "snoozed",
  "resolved",
  "all",
] as const;
export type InboxView = (typeof inboxViews)[number];

/** Latest activity first, or last; or those whose visitors wait, the longest first (docs/decisions/0044-triage.md). */
export const inboxOrders = ["newest", "oldest", "waiting"] as const;
export type InboxOrder = (typeof inboxOrders)[number];

/** What a list shows: a view, narrowed by the given filters. */
export interface InboxQuery {
  readonly view: InboxView;
  readonly widget_id?: string;
  /** Conversations with one of these tags. */
  readonly tag_ids?: string[];
  /** Conversations assigned to one of these agents. */
  readonly agent_ids?: string[];
  /** Their last activity is then or later; ISO 8601, in UTC. */
  readonly active_from?: string;
  /** Their last activity is before. */
  readonly active_until?: string;
  readonly channel?: Channel;
  /** A channel account. */
  readonly channel_id?: string;
  /** True: only those with unread messages. */
  readonly unread?: boolean;
  /** @default "newest" */
  readonly order?: InboxOrder;
}

/** What determines the views of a conversation. */
export interface InboxConversation {
  readonly id: string;
  readonly widget_id: string;
  readonly channel: Channel;
  /** The channel account. */
  readonly channel_id: string;
  readonly is_resolved: boolean;
  readonly snoozed_until: string | null;
  readonly snoozed_until_reply: boolean;
  readonly handoff_requested_at: string | null;
  readonly speaker: Speaker;
  readonly unread_messages: number;
  /** Since when its visitor waits for an answer; null when none is due. */
  readonly waiting_since: string | null;
  /** Whether a human or an assistant has replied since it was opened last. */
  readonly is_answered: boolean;
  readonly assigned_agents: readonly { readonly id: string }[];
  readonly tags: readonly { readonly id: string }[];
  /** The agents mentioned in notes. */
  readonly mentions: readonly string[];
  /** ISO 8601, in UTC, with milliseconds. */
  readonly active_at: string;
}

/** Whether a list of `me`, an agent's id, shows a conversation. */
export function isInList(conversation: InboxConversation, query: InboxQuery, me: string): boolean {
  const { widget_id, tag_ids, agent_ids, active_from, active_until, channel, channel_id, unread } = query;
  if (widget_id !== undefined && conversation.widget_id !== widget_id) return false;
  if (channel !== undefined && conversation.channel !== channel) return false;
  if (channel_id !== undefined && conversation.channel_id !== channel_id) return false;
  if (unread && conversation.unread_messages === 0) return false;
  if (tag_ids && !conversation.tags.some(({ id }) => tag_ids.includes(id))) return false;
  if (agent_ids && !agent_ids.some((id) => isAssigned(conversation, id))) return false;
  if (active_from !== undefined && Date.parse(conversation.active_at) < Date.parse(active_from)) return false;
  if (active_until !== undefined && Date.parse(conversation.active_at) >= Date.parse(active_until)) return false;
  return isInView(conversation, query.view, me);
}

/** A snoozed conversation needs no work at present, nor does one that the AI holds: they are in none of the open lists. */
function isInView(conversation: InboxConversation, view: InboxView, me: string): boolean {
  const isAwake = !conversation.is_resolved && !isSnoozed(conversation);
  const isOpen = isAwake && conversation.speaker !== "ai";
  switch (view) {
    case "open":
      return isOpen;
    case "waiting":
    case "answered":
      return isOpen && rankNameOf(conversation) === view;
    case "mine":
      return isOpen && isAssigned(conversation, me);
    case "unassigned":
      return isOpen && conversation.assigned_agents.length === 0;
    case "handoff":
      return isOpen && conversation.handoff_requested_at !== null;
    case "with_ai":
      return isAwake && conversation.speaker === "ai";
    case "mentions":
      return conversation.mentions.includes(me);
    case "snoozed":
      return isSnoozed(conversation);
    case "resolved":
      return conversation.is_resolved;
    case "all":
      return true;
    default:
      return view satisfies never;
  }
}

/**
 * Whether a visitor waits with something that an agent has not seen, who has read up to `readNumber`. What a teammate has
 * read is still new to the agent; what is answered is not, nor what the AI is to answer.
 */
export function isUnseen(
  {
    waiting_since,
    last_message,
    speaker,
  }: Pick<InboxConversation, "waiting_since" | "speaker"> & {
    last_message: { readonly sort_number: number } | null;
  },
  readNumber = 0,
): boolean {
  return speaker !== "ai" && waiting_since !== null && last_message !== null && last_message.sort_number > readNumber;
}

/** Whether a note mentions an agent who has read the conversation up to `readNumber`, and not that note. */
export function hasUnreadMention(
  { mention_numbers }: { mention_numbers: Readonly<Record<string, number>> },
  agentId: string,
  readNumber = 0,
): boolean {
  return (mention_numbers[agentId] ?? 0) > readNumber;
}

/** Until a time, or until the visitor writes. */
export function isSnoozed(conversation: Pick<InboxConversation, "snoozed_until" | "snoozed_until_reply">): boolean {
  return conversation.snoozed_until !== null || conversation.snoozed_until_reply;
}

function isAssigned({ assigned_agents }: InboxConversation, agentId: string): boolean {
  return assigned_agents.some(({ id }) => id === agentId);
}

/** A position in a list: the value that its order compares, as text, and the conversation's id. */
export interface InboxCursor {
  readonly value: string;
  readonly id: string;
}

type Ordered = Pick<InboxConversation, "active_at" | "waiting_since" | "is_answered" | "id">;

/** What each order compares, and whether the largest stands first. */
const orderRules: Record<InboxOrder, { valueOf(conversation: Ordered): string; isDescending: boolean }> = {
  newest: { valueOf: ({ active_at }) => active_at, isDescending: true },
  oldest: { valueOf: ({ active_at }) => active_at, isDescending: false },
  waiting: { valueOf: waitingRank, isDescending: false },
};

/**
 * The spans of `waiting_rank` (migration 25), ms since the epoch. Those that wait are ranked by since when; behind them the
 * others, by the end of their span less their last activity: newest first.
 */
export const waitingSpans = {
  waiting: { from: 0, to: Date.UTC(5000, 0) },
  answered: { from: Date.UTC(5000, 0), to: Date.UTC(9000, 0) },
  neither: { from: Date.UTC(9000, 0), to: Date.UTC(9900, 0) },
} as const;

type Ranked = Pick<InboxConversation, "waiting_since" | "is_answered">;

function rankNameOf({ waiting_since, is_answered }: Ranked): keyof typeof waitingSpans {
  if (waiting_since !== null) return "waiting";
  return is_answered ? "answered" : "neither";
}

/** The order of those that wait, the longest first; the others follow. */
function waitingRank(conversation: Ordered): string {
  const { waiting_since, active_at } = conversation;
  if (waiting_since !== null) return waiting_since;
  return new Date(waitingSpans[rankNameOf(conversation)].to - Date.parse(active_at)).toISOString();
}

/** Where a conversation stands in a list. */
export const inboxCursor = (conversation: Ordered, order: InboxOrder = "newest"): InboxCursor => ({
  value: orderRules[order].valueOf(conversation),
  id: conversation.id,
});

/** Negative when `a` stands before `b`. Equal values stand by id. */
export function compareInInbox(a: InboxCursor, b: InboxCursor, order: InboxOrder = "newest"): number {
  const isLarger = a.value === b.value ? a.id > b.id : a.value > b.value;
  if (a.value === b.value && a.id === b.id) return 0;
  return isLarger === orderRules[order].isDescending ? -1 : 1;
}

/** A cursor as one text: the `before` of a page. */
export const writeCursor = ({ value, id }: InboxCursor): string => `${value},${id}`;

/** Undefined for an invalid one. */
export function readCursor(text: string): InboxCursor | undefined {
  const found = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z),([0-9a-f-]{36})$/.exec(text);
  return found?.[1] && found[2] ? { value: found[1], id: found[2] } : undefined;
}
