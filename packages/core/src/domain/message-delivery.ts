/** How far a message is that is sent outside, from what is worst to what is best (additions, section 1). */
export const messageDeliveryStates = ["failed", "unknown", "queued", "sending", "sent", "delivered", "read"] as const;
export type MessageDeliveryState = (typeof messageDeliveryStates)[number];

/** How one attempt to send it ended; `delayed`: it is tried again. */
export const messageAttemptStates = ["sending", "sent", "delayed", "failed", "unknown"] as const;
export type MessageAttemptState = (typeof messageAttemptStates)[number];

/** The state of a message with several recipients is the worst of theirs. */
export function worstState(states: readonly MessageDeliveryState[]): MessageDeliveryState | undefined {
  return messageDeliveryStates.find((state) => states.includes(state));
}
