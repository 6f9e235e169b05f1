import type { Context, Runtime } from "../context.ts";
import { messageById } from "../conversations/message-store.ts";
import type { FactsOf } from "../events/event.ts";
import { appendInOutbox } from "../events/record-event.ts";
import type { OfQueue } from "../outbox/outbox-store.ts";
import type { Database } from "../storage/database.ts";
import { messagesBeingSent, messagesWaiting } from "./message-delivery-store.ts";

/** Screens learn of at most so many messages that a deleted channel did not send; they read the others when they load them. */
const WAITING_MAX = 500;

/** Records, in an operation, that messages are further on their way, or not. */
export async function recordDeliveryChanges(ctx: Context, messageIds: readonly string[]): Promise<void> {
  for (const facts of await changesOf(ctx.db, ctx.teamId, messageIds)) ctx.record(facts);
}

/** The same in a transaction of the outbox. */
export async function noteDeliveryChanges(
  db: Database,
  runtime: Pick<Runtime, "now" | "newId">,
  teamId: string,
  messageIds: readonly string[],
): Promise<void> {
  await appendInOutbox(db, runtime, teamId, await changesOf(db, teamId, messageIds));
}

/** What is under way in a queue. The statement is issued at once: what follows it may change their state. */
export async function beingSent(db: Database, queue: OfQueue): Promise<string[]> {
  return (await db.all(messagesBeingSent, queue)).flatMap(({ message_id }) => message_id ?? []);
}

/** What waits in a queue or is under way. */
export async function unsent(db: Database, queue: OfQueue): Promise<string[]> {
  const waiting = await db.all(messagesWaiting, { ...queue, limit: WAITING_MAX });
  return [...(await beingSent(db, queue)), ...waiting.flatMap(({ message_id }) => message_id ?? [])];
}

/** The events; none for a message that is erased or redacted, whose id is not named in the log again. */
async function changesOf(
  db: Database,
  teamId: string,
  messageIds: readonly string[],
): Promise<FactsOf<"message.delivery-changed">[]> {
  const found = await Promise.all(messageIds.map((id) => db.first(messageById, { team_id: teamId, id })));
  return found.flatMap((message) =>
    !message || message.content === null || message.contact_id === null
      ? []
      : [
          {
            name: "message.delivery-changed" as const,
            contact: { id: message.contact_id },
            sentOutside: { messageId: message.id, conversationId: message.conversation_id },
          },
        ],
  );
}
