/** The state of a visitor's chat, and how events change it: pure functions from one state to the next. */
import type {
  DraftFrame,
  TeamPresenceFrame,
  TypingNowFrame,
  VisitorEventFrame,
  VisitorEventName,
} from "@frontdesk/core/contract/live";
import type { Chat, ChatContact, ChatConversation, ChatMessage } from "@frontdesk/core/contract/visitor";
import type { AiDraft } from "./ai-draft.ts";

export interface ChatContents {
  /** Null until the first message was sent. */
  readonly contact: ChatContact | null;
  readonly conversation: ChatConversation | null;
  /** By `sort_number`, oldest first. */
  readonly messages: readonly ChatMessage[];
  /** Whether there are older ones on the server. */
  readonly hasMore: boolean;
}

export const emptyChat: ChatContents = { contact: null, conversation: null, messages: [], hasMore: false };

/** The server's answer as state. */
export function chatContents({ contact, conversation, messages, has_more }: Chat): ChatContents {
  return { contact, conversation, messages: [...messages].reverse(), hasMore: has_more };
}

/**
 * The state after an event, or after the answer to the visitor's own message. Idempotent. Null when the event is about another
 * conversation than the one shown, or one or its texts or files are erased: only the server knows which one is the latest, and its messages.
 */
export function applyEvent(
  contents: ChatContents,
  {
    name,
    message,
    conversation,
    contact,
  }: Pick<VisitorEventFrame, "message" | "conversation" | "contact"> & { name?: string },
): ChatContents | null {
  if (name !== undefined && ERASING.has(name)) return null;
  const { conversation: shown, messages } = contents;
  const id = conversation?.id ?? message?.conversation_id;
  if (shown && id && shown.id !== id) return null;
  // The answer to the first message has no conversation.
  // A redacted message that is not loaded stays so.
  const isShown = name !== "message.redacted" || messages.some((known) => known.id === message?.id);
  const latest = conversation ?? shown ?? (id ? { ...UNSEEN, id } : null);
  return {
    ...contents,
    contact: contact ?? contents.contact,
    // The screen may be ahead of the server, which gets the receipt later: keep the higher number.
    conversation: latest && { ...latest, seen_number: Math.max(latest.seen_number, shown?.seen_number ?? 0) },
    messages: message && isShown ? merged(messages, [message]) : messages,
  };
}

const ERASING: ReadonlySet<string> = new Set([
  "erasure.started",
  "conversation.texts-erased",
  "conversation.files-erased",
] satisfies VisitorEventName[]);

/** A conversation of which only the first message is known. */
const UNSEEN = {
  ...{ is_resolved: false, seen_number: 0, team_seen_number: 0, rating: null },
  // The fetch that follows says who it is.
  speaker: "human",
} as const;

/** Adds a page of older messages. */
export function applyOlder(contents: ChatContents, { conversation, messages, has_more }: Chat): ChatContents {
  if (conversation?.id !== contents.conversation?.id) return contents;
  return { ...contents, messages: merged(contents.messages, messages), hasMore: has_more };
}

/** What the stream reports of this moment; it is never stored. */
export interface ChatPresence {
  /** The agent who types, if any; `by_ai`: it is the AI. */
  readonly typing: {
    readonly name: string | null;
    readonly photo_url: string | null;
    readonly by_ai?: boolean | undefined;
  } | null;
  /** Whether an agent is online; null until it is known. */
  readonly teamOnline: boolean | null;
  /** What the AI was about to say: shown as long as it stands (`standingDraft`). */
  readonly draft: AiDraft | null;
}

export const emptyPresence: ChatPresence = { typing: null, teamOnline: null, draft: null };

/** What the stream tells visitors of this moment. */
export type ChatMoment = TypingNowFrame | TeamPresenceFrame | DraftFrame;

export function applyPresence(presence: ChatPresence, frame: ChatMoment): ChatPresence {
  if (frame.type === "draft") return { ...presence, draft: frame };
  if (frame.type === "presence") return { ...presence, teamOnline: frame.team_online };
  if (frame.type !== "typing" || frame.from === "visitor") return presence;
  const { agent, by_ai } = frame;
  const typing = { ...(agent ?? { name: null, photo_url: null }), ...(by_ai && { by_ai }) };
  return { ...presence, typing: frame.typing ? typing : null };
}

/** The team's messages that the visitor has not seen. */
export function unreadMessages({ messages, conversation }: ChatContents): number {
  const seen = conversation?.seen_number ?? 0;
  return messages.filter(({ from, sort_number, is_redacted }) => from === "agent" && sort_number > seen && !is_redacted)
    .length;
}

/** In the server's order, each once; a later version replaces an earlier one. */
function merged(messages: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const byNumber = new Map([...messages, ...more].map((message) => [message.sort_number, message]));
  return [...byNumber.values()].sort((a, b) => a.sort_number - b.sort_number);
}
