/**
 * What the agent writes, from the key press to the thread, and how it is stored at the service on sign-out:
 *
 *   setDraft() -> local-drafts.ts -> PUT …/draft
 *   send() -> outbox.ts, the draft is emptied -> POST …/messages -> inbox-state.ts
 *     '-> held-replies.ts first, when it can be undone -> POST …/held-replies
 *          '- undo() -> DELETE …/held-replies -> local-drafts.ts
 */
import { type DraftReturnedBy, draftWithUnsent } from "@frontdesk/core/domain/draft";
import type { InboxAnswer } from "./agent-requests.ts";
import type { Browser } from "./browser.ts";
import type { StoredValues } from "./browser-storage.ts";
import { dropErased } from "./drop-erased.ts";
import { type HeldReplies, openHeldReplies } from "./held-replies.ts";
import { isReturned, returnedBy } from "./held-reply-requests.ts";
import type { InboxContext } from "./inbox-context.ts";
import { withConversations, withMessage } from "./inbox-state.ts";
import type { MessageFromInbox, WaitingMessage } from "./inbox-store.ts";
import { type DraftMode, type LocalDrafts, openLocalDrafts } from "./local-drafts.ts";
import { type Outbox, type OutboxAnswer, openOutbox } from "./outbox.ts";
import { type ReturnedFiles, returnedFiles } from "./returned-files.ts";

/** On sign-out, the longest wait for the service to store drafts; without a network signing out fails as well. */
const HAND_OVER_MS = 3_000;

export interface AgentWriting {
  readonly outbox: Outbox<MessageFromInbox>;
  readonly held: HeldReplies;
  readonly drafts: LocalDrafts;
  readonly returned: ReturnedFiles;
  /** Held and being sent, in the order they were written. */
  waiting(): WaitingMessage[];
  /** @param holdMs how long it can be undone; left out or 0: it is sent at once */
  send(message: Omit<MessageFromInbox, "client_id">, holdMs?: number): string;
  wake(): void;
  /** Another tab has stored something. */
  look(): void;
  /** Stores at the service what it does not have yet; an unsent message becomes a draft. */
  handOver(): Promise<void>;
  close(): void;
}

export function openAgentWriting(
  context: InboxContext,
  {
    name,
    values,
    locks,
    isOffline,
    onDraftStored,
  }: {
    name: string;
    values: StoredValues;
    isOffline(): boolean;
    locks: Browser["locks"];
    onDraftStored(conversationId: string): void;
  },
): AgentWriting {
  const { store, ask, clock } = context;
  let isClosed = false;
  let stopWaiting = () => {};
  const outbox = openOutbox<MessageFromInbox, InboxAnswer<"sendMessage">>({
    name: `${name}:outbox`,
    values,
    locks,
    clock,
    async post(message) {
      const { conversation_id, ...body } = message;
      const answer = await ask("sendMessage", { params: { conversation_id }, body });
      if (isReturned(answer) && !isClosed) {
        giveBack(message, returnedBy(answer));
        outbox.discard(message.client_id);
      }
      if (isGone(answer) && !isClosed) erased.drop([conversation_id]);
      return answer;
    },
    onSent,
    onChange: store.changed,
  });
  const drafts = openLocalDrafts({
    name: `${name}:draft`,
    values,
    clock,
    ask,
    isErased: (conversationId) => store.inbox.erased.has(conversationId),
    onChange: store.changed,
    onStored: onDraftStored,
  });
  const returned = returnedFiles(`${name}:returned`, values, store.changed);
  const held = openHeldReplies(context, {
    name: `${name}:held`,
    values,
    isOffline,
    onDue: outbox.put,
    onSent,
    onReturned: giveBack,
    onChange: store.changed,
  });

  const erased = dropErased(store, { outbox, held, drafts, returned });

  return {
    outbox,
    held,
    drafts,
    returned,
    waiting: () => [...held.messages(), ...outbox.messages()].sort((a, b) => (a.client_id < b.client_id ? -1 : 1)),
    send(message, holdMs = 0) {
      // Messages of a conversation stay in order.
      held.release(message.conversation_id);
      const isHeld = holdMs > 0 && message.type === "message";
      const clientId = isHeld ? held.add(message, holdMs) : outbox.add(message);
      // Emptied at once, not with the answer: the agent may start the next message meanwhile.
      drafts.set(message.conversation_id, modeOf(message), "");
      return clientId;
    },
    wake() {
      held.wake();
      outbox.wake();
      drafts.wake();
    },
    look() {
      held.watch();
      outbox.wake();
    },
    async handOver() {
      const waited = new Promise<void>((resolve) => {
        stopWaiting = clock.after(HAND_OVER_MS, resolve);
      });
      await Promise.race([held.handOver(), waited]);
      for (const { client_id, conversation_id, type, content } of outbox.messages()) {
        const mode = modeOf({ type });
        const begun = drafts.get(conversation_id, mode);
        drafts.set(conversation_id, mode, draftWithUnsent(content, begun));
        outbox.discard(client_id);
      }
      await Promise.race([drafts.handOver(), waited]);
    },
    close() {
      isClosed = true;
      erased.stop();
      stopWaiting();
      held.close();
      outbox.close();
      drafts.close();
    },
  };

  function onSent({ message, conversation, number }: InboxAnswer<"sendMessage">): void {
    if (isClosed) return;
    drafts.sent(conversation.id, modeOf(message));
    store.inbox = withConversations(withMessage(store.inbox, message), [conversation], number);
    store.changed();
  }

  function giveBack(message: MessageFromInbox, by: DraftReturnedBy | null): void {
    const { conversation_id, content, attachments = [], after_number } = message;
    const draft = draftWithUnsent(content, drafts.get(conversation_id, "reply"));
    drafts.set(conversation_id, "reply", draft, by ?? drafts.returnedBy(conversation_id));
    if (attachments.length > 0 || after_number !== undefined) returned.add(message);
  }
}

/** The conversation does not exist any more. */
function isGone(answer: OutboxAnswer<unknown>): boolean {
  return !answer.ok && answer.body.reason === "not-found.conversation";
}

function modeOf({ type }: { type?: string | undefined }): DraftMode {
  return type === "note" ? "note" : "reply";
}
