/**
 * The chat of a visitor as a store: its state for the widget, and the visitor's actions. It connects the parts:
 *
 *   send() -> outbox.ts -> chat-session.ts -> POST /messages
 *   identify() -> visitor-identity.ts -> POST /introduce         seen() -> seen-receipt.ts -> POST /seen
 *   GET /chat -> chat-session.ts -> follow-log.ts <- live-stream.ts, of this tab or another (shared-stream.ts)
 *                                      `-> apply-event.ts -> chat-context.ts -> subscribers
 *   typing(), page() -> visitor-presence.ts -> live-stream.ts
 *
 * Before the first message nothing is stored and nothing is requested (docs/decisions/0020-live-stream.md).
 */
import { applyEvent, applyOlder } from "./apply-event.ts";
import { type Browser, thisBrowser } from "./browser.ts";
import { storedValues } from "./browser-storage.ts";
import { blankChat, type ChatContext, type ChatState, change } from "./chat-context.ts";
import { type ChatSession, openChatSession, PAGE_SIZE } from "./chat-session.ts";
import { see } from "./seen-receipt.ts";
import { type FileToSend, type Upload, uploadFile } from "./upload.ts";
import { ask, checkExpiry, identify, tokenToWriteWith } from "./visitor-identity.ts";
import { sendPage, sendTyping } from "./visitor-presence.ts";
import { type MessageToSend, type VisitorAnswer, visitorAddress, visitorRequests } from "./visitor-requests.ts";
import type { IdentifyDetails } from "./visitor-storage.ts";

export interface VisitorChatOptions {
  /** The service's origin: `https://chat.example.com`. */
  origin: string;
  widgetId: string;
  /** Replacements for parts of the current browser, for tests and programs. */
  browser?: Partial<Browser>;
  /** Called with the service's answer to `identify`: for the author of the page. */
  onIdentified?(answer: VisitorAnswer<"introduce">): void;
  /** Called when the widget does not exist any more; there is nothing to listen to. */
  onGone?(): void;
}

export interface VisitorChat {
  readonly state: ChatState;
  /** Shows the stored chat, sends what is left in the outbox, and listens. A repeat does nothing. */
  open(): void;
  /**
   * Stores a message and sends it. Returns its `client_id`, which identifies it first in the outbox, then in the messages.
   * Name, e-mail and page visits are used with the first message only.
   */
  send(message: Omit<MessageToSend, "client_id">): string;
  /** Sends a refused message again, with these fields changed. */
  retry(clientId: string, changes?: Partial<MessageToSend>): void;
  discard(clientId: string): void;
  /**
   * What the page knows of the visitor. The service is asked once, also across the pages of a site, and with an `identity` the
   * chat becomes that person's. For an anonymous visitor who has not written, it is sent with the first message. Resolves to
   * the service's answer; undefined when it did not have to be asked.
   */
  identify(details: IdentifyDetails): Promise<VisitorAnswer<"introduce"> | undefined>;
  /** Uploads a file for a message that is sent afterwards. */
  upload(file: FileToSend, onProgress: (part: number) => void): Upload;
  /** The visitor's rating of the conversation; resolves to false when it could not be sent. */
  rate(rating: number, comment: string): Promise<boolean>;
  /** The visitor wants a person instead of the AI; resolves to false when it could not be sent. */
  askForPerson(): Promise<boolean>;
  /** The visitor says that the AI's answer helped, which resolves the conversation; as `askForPerson`. */
  confirmHelped(): Promise<boolean>;
  /** The visitor has seen everything that is shown. */
  seen(): void;
  /** Call it on every key press; sending is throttled. */
  typing(typing: boolean): void;
  /** The visitor's current page; sent again with each new connection. Only web pages are sent. */
  page(page: { url: string; title: string }): void;
  /** Resolves to false when there was nothing older, or the request failed. */
  loadOlder(): Promise<boolean>;
  /** Calls `listener` after every change; the returned function ends it. */
  subscribe(listener: (state: ChatState) => void): () => void;
  /** Stops listening; the outbox stays stored. */
  close(): void;
  /** Forgets the visitor and unsent messages: for a browser that others use too. */
  forget(): void;
}

export function createVisitorChat({
  origin,
  widgetId,
  browser: given,
  onIdentified = () => {},
  onGone = () => {},
}: VisitorChatOptions): VisitorChat {
  const browser: Browser = { ...thisBrowser(), ...given };
  const anonymousKey = `frontdesk:${widgetId}`;
  const chat: ChatContext = {
    origin,
    widgetId,
    browser,
    clock: browser.clock,
    values: storedValues(browser.storage),
    request: visitorRequests(origin, widgetId, browser.fetch, browser.clock),
    onIdentified,
    onGone,
    listeners: new Set(),
    state: blankChat,
    enter,
    anonymousKey,
    storageKey: anonymousKey,
    generation: 0,
    typingSentAt: 0,
  };

  return {
    get state() {
      return chat.state;
    },
    subscribe(listener) {
      chat.listeners.add(listener);
      return () => chat.listeners.delete(listener);
    },
    open,
    close,
    forget() {
      chat.generation += 1;
      chat.pageDetails = undefined;
      close();
      for (const key of chat.values.keys(anonymousKey)) chat.values.delete(key);
      enter(anonymousKey, false);
    },
    send: (message) => open().outbox.add(message),
    retry: (clientId, changes) => open().outbox.retry(clientId, changes),
    discard: (clientId) => open().outbox.discard(clientId),
    identify(details) {
      chat.pageDetails = { ...chat.pageDetails, ...details };
      return identify(chat, details);
    },
    typing: (typing) => sendTyping(chat, typing),
    page: (page) => sendPage(chat, page),
    seen: () => see(chat),
    upload(file, onProgress) {
      const token = tokenToWriteWith(chat);
      const upload = uploadFile(`${visitorAddress(origin, widgetId)}/files`, token, file, onProgress);
      upload.done.then((answer) => checkExpiry(chat, answer, token));
      return upload;
    },
    rate: (rating, comment) =>
      askOfShown((conversation_id) => ask(chat, "rate", { conversation_id, rating, ...(comment && { comment }) })),
    askForPerson: () => askOfShown((conversation_id) => ask(chat, "askForPerson", { conversation_id })),
    confirmHelped: () => askOfShown((conversation_id) => ask(chat, "confirmHelped", { conversation_id })),
    loadOlder,
  };

  /** Asks for a change of the conversation, and shows the one that is answered. */
  async function askOfShown(
    send: (conversationId: string) => Promise<VisitorAnswer<"rate" | "askForPerson" | "confirmHelped">>,
  ): Promise<boolean> {
    const shown = chat.state.conversation;
    if (!shown) return false;
    const answer = await send(shown.id);
    // What has come meanwhile may be newer than the answer; if not, it is still to come.
    if (answer.ok && chat.state.conversation === shown) change(chat, applyEvent(chat.state, answer.body));
    return answer.ok;
  }

  async function loadOlder(): Promise<boolean> {
    const {
      hasMore,
      messages: [oldest],
    } = chat.state;
    if (!hasMore || !oldest) return false;
    const answer = await ask(chat, "openChat", { before: oldest.sort_number, limit: PAGE_SIZE });
    if (answer.ok && answer.body.number < (chat.redactedAt ?? 0)) return loadOlder();
    if (answer.ok) change(chat, applyOlder(chat.state, answer.body));
    return answer.ok;
  }

  function open(): ChatSession {
    if (chat.session) return chat.session;
    const session = openChatSession(chat);
    chat.session = session;
    change(chat);
    session.load();
    return session;
  }

  function close(): void {
    chat.session?.close();
    chat.cancelReceipt?.();
    chat.cancelIdentify?.();
    chat.session = undefined;
  }

  function enter(key: string, expired = chat.state.expired): void {
    const wasOpen = chat.session;
    close();
    chat.storageKey = key;
    chat.unconfirmed = undefined;
    change(chat, { ...blankChat, expired });
    if (wasOpen) open();
  }
}
