import type { HeldReplies } from "./held-replies.ts";
import type { InboxStore, MessageFromInbox } from "./inbox-store.ts";
import type { LocalDrafts } from "./local-drafts.ts";
import type { Outbox } from "./outbox.ts";
import type { ReturnedFiles } from "./returned-files.ts";

/** What an agent has written for conversations that were erased goes as well, from this browser too. */
export function dropErased(
  store: InboxStore,
  {
    outbox,
    held,
    drafts,
    returned,
  }: { outbox: Outbox<MessageFromInbox>; held: HeldReplies; drafts: LocalDrafts; returned: ReturnedFiles },
): { drop(conversationIds: readonly string[]): void; stop(): void } {
  let { erased } = store.inbox;
  const stop = store.subscribe(() => {
    if (store.inbox.erased === erased) return;
    ({ erased } = store.inbox);
    drop([...erased]);
  });
  return { drop, stop };

  function drop(conversationIds: readonly string[]): void {
    const isErased = ({ conversation_id }: { conversation_id: string }) => conversationIds.includes(conversation_id);
    // As it is shown: another tab may have dropped it first.
    store.dropped += store.getState().outbox.filter(isErased).length;
    for (const { client_id } of outbox.messages().filter(isErased)) outbox.discard(client_id);
    for (const id of conversationIds) {
      held.drop(id);
      drafts.drop(id);
      returned.take(id);
    }
    store.changed();
  }
}
