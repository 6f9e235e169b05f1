/**
 * The states of a conversation (specification, "States and transitions"):
 *
 * ```
 *   none --visitor message--> open --resolve--> resolved
 *                              ^                    |
 *                              +---unresolve--------+
 *                              +---visitor message--+   (reopened)
 * ```
 * A reply by an agent changes no state (decision 22). Repeating a state changes nothing (decision 3).
 *
 * An assistant may request a person, once, in an open conversation; until that is over, assistants do not reply (decision 58):
 *
 * ```
 *   open --handoff requested--> open, handed over --"Return to assistant"--> open
 *                                      \--resolve--> resolved
 * ```
 * A human's reply does not end it. Asking again while it lasts changes nothing.
 */
export type ConversationStatus = "open" | "resolved";

/** The words POST …/resolve accepts (decision 3), and the state each asks for. */
export const statusWords = { resolved: "resolved", unresolved: "open", open: "open" } as const satisfies Record<
  string,
  ConversationStatus
>;
export type StatusWord = keyof typeof statusWords;

/** The types a REST answer can hold: all but `system` (decision 6). */
export const listedMessageTypes = ["message", "note", "reminder"] as const;
export type MessageType = (typeof listedMessageTypes)[number] | "system";

/** Every way a message can be sent; private (decision 5). */
export const sentViaWays = ["widget", "dashboard", "api", "assistant", "automation", "channel", "ai"] as const;
export type SentVia = (typeof sentViaWays)[number];

/** `unread_messages` after a message (decision 34): a visitor's adds one, an agent's reply means that all were read. */
export function unreadAfter(unread: number, message: { from: "visitor" | "agent"; type: MessageType }): number {
  if (message.from === "visitor") return unread + 1;
  return message.type === "message" ? 0 : unread;
}

/** Whether a visitor may rate it: it is resolved, or was once. */
export function mayBeRated({ is_resolved, reopened_at }: { is_resolved: number; reopened_at: number | null }): boolean {
  return is_resolved === 1 || reopened_at !== null;
}

/** Who wrote a message, as tools show it. What neither a visitor nor an agent wrote is the service's own. */
export function senderOf({
  type,
  agent_id,
}: {
  type: string;
  agent_id: string | null;
}): "visitor" | "agent" | "system" {
  if (agent_id !== null) return "agent";
  return type === ("message" satisfies MessageType) ? "visitor" : "system";
}

/** Why an assistant may not reply at present. */
export type ReplyObstacle = "blocked" | "resolved" | "handed-over";

/** What can prevent an assistant's reply or note: it has no agent in whose name it could write. */
export type Obstacle = ReplyObstacle | "no-agent" | "no-author";

/**
 * What keeps an assistant from replying in a conversation (decisions 58 and 69), undefined when nothing does. Notes are always
 * accepted, and messages by people are not checked (decision 22).
 */
export function replyObstacle(
  conversation: { is_resolved: number; handoff_requested_at: number | null },
  contact: { blocked_at: number | null },
): ReplyObstacle | undefined {
  // The most permanent obstacle comes first: it would be pointless to reopen a conversation whose visitor is blocked.
  if (contact.blocked_at !== null) return "blocked";
  if (conversation.is_resolved === 1) return "resolved";
  return conversation.handoff_requested_at === null ? undefined : "handed-over";
}
