/**
 * The state of a visitor's chat, shared by its parts. Each part is a file of functions that change the members listed under its
 * name.
 */
import type { PageFrame } from "@frontdesk/core/contract/live";
import { type ChatContents, type ChatPresence, emptyChat, emptyPresence } from "./apply-event.ts";
import type { Browser } from "./browser.ts";
import type { StoredValues } from "./browser-storage.ts";
import type { ChatSession } from "./chat-session.ts";
import type { Clock } from "./clock.ts";
import type { ConnectionState } from "./live-stream.ts";
import type { OutboxMessage } from "./outbox.ts";
import type { AskVisitor, VisitorAnswer } from "./visitor-requests.ts";
import type { IdentifyDetails } from "./visitor-storage.ts";

export interface ChatState extends ChatContents, ChatPresence {
  /** Written and not confirmed yet, oldest first; none of it is in `messages`. */
  readonly outbox: readonly OutboxMessage[];
  /** Also `live` before the first message, when there is nothing to listen to. */
  readonly connection: ConnectionState;
  /** The visitor's identity has expired: they are anonymous until the page identifies them again. */
  readonly expired: boolean;
}

export interface ChatContext {
  readonly origin: string;
  readonly widgetId: string;
  readonly browser: Browser;
  readonly clock: Clock;
  readonly values: StoredValues;
  readonly request: AskVisitor;
  readonly onIdentified: (answer: VisitorAnswer<"introduce">) => void;
  /** The widget does not exist, or no longer. */
  readonly onGone: () => void;
  readonly listeners: Set<(state: ChatState) => void>;
  state: ChatState;
  /** Set while the chat is open (chat-session.ts). */
  session?: ChatSession | undefined;
  /** The number of the last event that redacted a message: older answers may have its text. */
  redactedAt?: number;
  /**
   * Shows the chat of the visitor whose storage keys begin with `key`; the current one is shown afresh. `expired` stays unless
   * given.
   */
  enter(key: string, expired?: boolean): void;

  // visitor-identity.ts
  /** Prefix of the anonymous visitor's storage keys. */
  readonly anonymousKey: string;
  /** Prefix of the storage keys of the visitor whose chat is shown. */
  storageKey: string;
  /** Everything the page has said of the visitor. */
  pageDetails?: IdentifyDetails | undefined;
  /** The last `identify`; messages and the next call wait for it. */
  identifying?: Promise<unknown>;
  /** An identity that the service has refused for good. */
  refusedIdentity?: string;
  /** Increases when the visitor is forgotten: what began before has no effect afterwards. */
  generation: number;
  cancelIdentify?(): void;

  // seen-receipt.ts
  /** Up to where the visitor has looked; undefined once the service has confirmed it. */
  unconfirmed?: { conversation_id: string; sort_number: number } | undefined;
  isConfirming?: boolean;
  cancelReceipt?(): void;

  // visitor-presence.ts
  /** When typing was last sent; 0 while the visitor does not type. */
  typingSentAt: number;
  /** The visitor's current page. */
  visited?: PageFrame;
}

/** A chat before the first fetch. */
export const blankChat: ChatState = { ...emptyChat, ...emptyPresence, connection: "live", expired: false, outbox: [] };

/**
 * Computes the next state from the changes and the outbox, and calls every listener. A message that the service has leaves the
 * outbox also when its answer was lost: sent again after an erasure, it would come back.
 */
export function change(chat: ChatContext, changes?: Partial<ChatState> | null): void {
  const next = { ...chat.state, ...changes };
  const waiting = chat.session?.outbox.messages() ?? [];
  const sent = waiting.find((one) => next.messages.some(({ client_id }) => client_id === one.client_id));
  chat.state = { ...next, outbox: waiting };
  if (sent) {
    // It calls this function again.
    chat.session?.outbox.discard(sent.client_id);
    return;
  }
  for (const listener of chat.listeners) {
    try {
      listener(chat.state);
    } catch (error) {
      // A listener that throws must not stop the chat; the error is reported as an uncaught one.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
