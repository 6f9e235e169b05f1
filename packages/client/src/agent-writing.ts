/**
 * What the agent writes, from the key press to the thread, and how it is stored at the service on sign-out:
 *
 *   setDraft() -> local-drafts.ts -> PUT …/draft
 *   send() -> outbox.ts, the draft is emptied -> POST …/messages -> inbox-state.ts
 */
import type { InboxAnswer } from "./agent-requests.ts";
import type { Browser } from "./browser.ts";
import type { StoredValues } from "./browser-storage.ts";
import type { InboxContext } from "./inbox-context.ts";
import { withConversations, withMessage } from "./inbox-state.ts";
import type { MessageFromInbox } from "./inbox-store.ts";
import { type DraftMode, type LocalDrafts, openLocalDrafts } from "./local-drafts.ts";
import { type Outbox, openOutbox } from "./outbox.ts";

/** On sign-out, the longest wait for the service to store drafts; without a network signing out fails as well. */
const HAND_OVER_MS = 3_000;

export interface AgentWriting {
  readonly outbox: Outbox<MessageFromInbox>;
  readonly drafts: LocalDrafts;
  send(message: Omit<MessageFromInbox, "client_id">): string;
  wake(): void;
  /** Stores at the service what it does not have yet; an unsent message becomes a draft. */
  handOver(): Promise<void>;
  close(): void;
}

export function openAgentWriting(
  { store, ask, clock }: InboxContext,
  {
    name,
    values,
    locks,
    onDraftStored,
  }: {
    name: string;
    values: StoredValues;
    locks: Browser["locks"];
    onDraftStored(conversationId: string): void;
  },
): AgentWriting {
  let isClosed = false;
  let stopWaiting = () => {};
  const outbox = openOutbox<MessageFromInbox, InboxAnswer<"sendMessage">>({
    name: `${name}:outbox`,
    values,
    locks,
    clock,
    post: ({ conversation_id, ...body }) => ask("sendMessage", { params: { conversation_id }, body }),
    onSent({ message, conversation, number }) {
      if (isClosed) return;
      drafts.sent(conversation.id, modeOf(message));
      store.inbox = withConversations(withMessage(store.inbox, message), [conversation], number);
      store.changed();
    },
    onChange: store.changed,
  });
  const drafts = openLocalDrafts({
    name: `${name}:draft`,
    values,
    clock,
    ask,
    onChange: store.changed,
    onStored: onDraftStored,
  });

  return {
    outbox,
    drafts,
    send(message) {
      const clientId = outbox.add(message);
      // Emptied at once, not with the answer: the agent may start the next message meanwhile.
      drafts.set(message.conversation_id, modeOf(message), "");
      return clientId;
    },
    wake() {
      outbox.wake();
      drafts.wake();
    },
    async handOver() {
      for (const { client_id, conversation_id, type, content } of outbox.messages()) {
        const mode = modeOf({ type });
        const begun = drafts.get(conversation_id, mode);
        drafts.set(conversation_id, mode, begun ? `${content}\n\n${begun}` : content);
        outbox.discard(client_id);
      }
      const waited = new Promise<void>((resolve) => {
        stopWaiting = clock.after(HAND_OVER_MS, resolve);
      });
      await Promise.race([drafts.handOver(), waited]);
    },
    close() {
      isClosed = true;
      stopWaiting();
      outbox.close();
      drafts.close();
    },
  };
}

function modeOf({ type }: { type?: string | undefined }): DraftMode {
  return type === "note" ? "note" : "reply";
}
