/** How far messages have got that are sent outside, as events say it. Answers on their way may be older, and take nothing back. */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import type { LiveDelivery } from "@frontdesk/core/contract/live-mail";
import type { InboxState } from "./inbox-state.ts";

/** A delivery, and the log number it is known as of. */
export interface KnownDelivery {
  readonly delivery: LiveDelivery;
  readonly asOf: number;
}

/** A message that is not loaded stays so. */
export function withDelivery(
  state: InboxState,
  { id, conversation_id, delivery }: LiveMessage,
  asOf: number,
): InboxState {
  if (!delivery || (state.deliveries.get(id)?.asOf ?? 0) >= asOf) return state;
  const deliveries = new Map(state.deliveries).set(id, { delivery, asOf });
  const thread = state.threads.get(conversation_id);
  if (!thread) return { ...state, deliveries };
  const messages = thread.messages.map((message) => (message.id === id ? { ...message, delivery } : message));
  return { ...state, deliveries, threads: new Map(state.threads).set(conversation_id, { ...thread, messages }) };
}

/** Messages as they were sent, with what events have said since. @param asOf left out: they are not newer than any event */
export function withKnownDeliveries(
  messages: readonly LiveMessage[],
  { deliveries }: Pick<InboxState, "deliveries">,
  asOf = 0,
): readonly LiveMessage[] {
  if (deliveries.size === 0) return messages;
  return messages.map((message) => {
    const known = deliveries.get(message.id);
    return known && known.asOf > asOf ? { ...message, delivery: known.delivery } : message;
  });
}
