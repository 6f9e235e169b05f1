/** A visitor's chat as its parts share it. Each part is a file of functions that move the members named after it. */
import type { PageFrame } from "@frontdesk/core/contract/live";
import { type ChatContents, emptyChat, emptyMoment, type Moment } from "./apply-event.ts";
import type { Browser } from "./browser.ts";
import type { StoredValues } from "./browser-storage.ts";
import type { ChatSession } from "./chat-session.ts";
import type { Clock } from "./clock.ts";
import type { ConnectionState } from "./live-stream.ts";
import type { OutboxMessage } from "./outbox.ts";
import type { AskVisitor, VisitorAnswer } from "./visitor-requests.ts";
import type { IdentifyDetails } from "./visitor-storage.ts";

export interface ChatState extends ChatContents, Moment {
  /** What was written and not confirmed yet, oldest first; none of it is in `messages`. */
  readonly outbox: readonly OutboxMessage[];
  /** `live` also before the first message, when there is nothing to listen to. */
  readonly connection: ConnectionState;
  /** The visitor's identity has expired: until the page identifies them with a new one, they are anonymous. */
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
  readonly listeners: Set<(state: ChatState) => void>;
  state: ChatState;
  /** While the chat is open (chat-session.ts). */
  session?: ChatSession | undefined;
  /** Shows the chat of the visitor whose keys begin with `key`, or the same anew; `expired` stays as it is unless given. */
  enter(key: string, expired?: boolean): void;

  // visitor-identity.ts
  /** Keys of the anonymous visitor begin so. */
  readonly anonymousKey: string;
  /** Keys of the visitor whose chat is shown begin so. */
  storageKey: string;
  /** All that the page has said of the visitor. */
  pageDetails?: IdentifyDetails | undefined;
  /** The last `identify`; messages and the next one wait for it. */
  identifying?: Promise<unknown>;
  /** An identity that the service does not take, and will not. */
  refusedIdentity?: string;
  /** Grows when the visitor is forgotten: what began before has no effect after it. */
  generation: number;
  cancelIdentify?(): void;

  // seen-receipt.ts
  /** Up to where the visitor has looked, until the service has confirmed it. */
  unconfirmed?: { conversation_id: string; sort_number: number } | undefined;
  isConfirming?: boolean;
  cancelReceipt?(): void;

  // visitor-presence.ts
  /** When typing was last sent; 0 while the visitor does not type. */
  typingSentAt: number;
  /** The page that the visitor is on. */
  visited?: PageFrame;
}

/** A chat of which nothing was fetched yet. */
export const blankChat: ChatState = { ...emptyChat, ...emptyMoment, connection: "live", expired: false, outbox: [] };

/** Makes the next state of the changes and of what waits in the outbox, and calls every listener. */
export function change(chat: ChatContext, changes?: Partial<ChatState> | null): void {
  const next = { ...chat.state, ...changes };
  const waiting = chat.session?.outbox.messages() ?? [];
  const isSent = (id: string) => next.messages.some(({ client_id }) => client_id === id);
  chat.state = { ...next, outbox: waiting.filter(({ client_id }) => !isSent(client_id)) };
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
