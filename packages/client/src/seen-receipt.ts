/**
 * Sends to the service the last message that the visitor has seen: one request at a time, always the latest.
 *
 *   idle    --see()---------------------------------> sending
 * sending --answered------------------------------> idle; sending, when the visitor has seen more meanwhile
 *           --no answer-----------------------------> waiting
 *   waiting --wait over, live again, wake(), see()--> sending
 */
import { type ChatContext, change } from "./chat-context.ts";
import { retryLater } from "./clock.ts";
import { ask } from "./visitor-identity.ts";
import { isRefusal } from "./visitor-requests.ts";

/** The visitor has seen everything that is shown. */
export function see(chat: ChatContext): void {
  const { conversation, messages } = chat.state;
  const seen_number = messages.at(-1)?.sort_number ?? 0;
  if (!conversation || seen_number <= conversation.seen_number) return;
  chat.unconfirmed = { conversation_id: conversation.id, sort_number: seen_number };
  change(chat, { conversation: { ...conversation, seen_number } });
  sendReceipt(chat);
}

/** Sends what the service has not confirmed. */
export async function sendReceipt(chat: ChatContext): Promise<void> {
  const sent = chat.unconfirmed;
  if (chat.isConfirming || !sent) return;
  chat.isConfirming = true;
  const answer = await ask(chat, "seeMessages", sent);
  chat.isConfirming = false;
  if (!answer.ok && !isRefusal(answer.status)) {
    chat.cancelReceipt?.();
    if (chat.session) chat.cancelReceipt = retryLater(chat.clock, () => sendReceipt(chat));
  } else if (chat.unconfirmed === sent) chat.unconfirmed = undefined;
  else sendReceipt(chat);
}
