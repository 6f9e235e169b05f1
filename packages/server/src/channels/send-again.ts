import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import type { ListedMessageWithNames } from "../conversations/list-messages.ts";
import { messageById } from "../conversations/message-store.ts";
import { recipientsOfMessages, resetMailRecipients } from "../email/out/outgoing-mail-store.ts";
import { requireAccountToSend, suppressedOf } from "../email/out/reply-by-mail.ts";
import { REPLAY_RUN_AT } from "../outbox/outbox-item.ts";
import { replayItemRow } from "../outbox/outbox-log-store.ts";
import { markQueueDue } from "../outbox/outbox-store.ts";
import { listParam } from "../storage/dialect.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { recordDeliveryChanges } from "./delivery-changes.ts";
import { deliveriesOf } from "./message-delivery.ts";
import { itemsOfMessages } from "./message-delivery-store.ts";
import { accountQueue } from "./queue-reply.ts";

/** The states from which a message can be sent once more. */
const ENDED: readonly string[] = ["failed", "unknown"];

/**
 * Sends a message again that has failed, or that may not have arrived: from its first attempt, the same in every byte, to the
 * recipients that it is not known to have reached. Earlier attempts stay in the log. Additions, section 1: POST
 * /messages/{id}/send-again.
 *
 * @throws Refusal `not-found`; `invalid` on `message` when there is nothing to send again, and on `conversation_id` as
 *   `send-message`
 */
export const sendAgain: Operation<{ messageId: string }, ListedMessageWithNames> = {
  name: "send-again",
  mode: "write",
  async run(ctx, { messageId }) {
    const id = canonicalId(messageId);
    const message = id && (await ctx.db.first(messageById, { team_id: ctx.teamId, id }));
    if (!message) throw notFound("message");
    const conversation = await findConversation(ctx, message.conversation_id);
    const [item] = await ctx.db.all(itemsOfMessages, { team_id: ctx.teamId, message_ids: listParam([id]) });
    const state = (await deliveryNow(ctx, id))?.state;
    if (message.content === null || state === undefined || !ENDED.includes(state)) {
      throw invalid({ message: "not-failed" });
    }
    // The clean-up of the outbox has removed it (docs/guide/privacy.md says when).
    if (!item) throw invalid({ message: "failed-long-ago" });
    if (conversation.channel === "email") await requireMailAgain(ctx, conversation, id);
    const { queue_id, event_number } = item;
    ctx.write(resetMailRecipients, { team_id: ctx.teamId, message_id: id, changed_at: ctx.now });
    ctx.write(replayItemRow, { team_id: ctx.teamId, queue_id, event_number, run_at: REPLAY_RUN_AT });
    ctx.write(markQueueDue, { team_id: ctx.teamId, queue_id, due_at: REPLAY_RUN_AT });
    ctx.wakeQueue(accountQueue(queue_id));
    await recordDeliveryChanges(ctx, [id]);
    return { message, agentName: null, contactName: null, delivery: (await deliveryNow(ctx, id)) ?? null, email: null };
  },
};

/** @throws Refusal `invalid` on `conversation_id`, and on `message` when it would go to a suppressed address */
async function requireMailAgain(ctx: Context, conversation: ConversationRow, messageId: string): Promise<void> {
  const { account } = await requireAccountToSend(ctx, conversation);
  const recipients = await ctx.db.all(recipientsOfMessages, {
    team_id: ctx.teamId,
    message_ids: listParam([messageId]),
  });
  const left = recipients.filter(({ state }) => state !== "sent").map(({ address }) => address);
  if ((await suppressedOf(ctx, account.id, left)).size > 0) throw invalid({ message: "recipient-suppressed" });
}

const deliveryNow = async (ctx: Context, id: string) => (await deliveriesOf(ctx, [id])).get(id);
