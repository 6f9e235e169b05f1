/**
 * The chat of a visitor as a store: what the widget shows, and what a visitor can do. It puts the parts together:
 *
 *   send() -> outbox.ts -> POST /messages
 *   GET /chat -> follow-log.ts <- live-stream.ts, of this tab or another (one-socket.ts)
 *                    `-> apply-event.ts -> state -> subscribers
 *
 * Before the first message nothing is stored and nothing is asked (docs/decisions/0020-live-stream.md).
 */
import type { TeamPresenceFrame, TypingNowFrame, VisitorEventFrame } from "@frontdesk/core/contract/live";
import type { Chat } from "@frontdesk/core/contract/visitor";
import {
  applyEvent,
  applyMoment,
  applyOlder,
  type ChatContents,
  chatContents,
  emptyChat,
  emptyMoment,
  type Moment,
} from "./apply-event.ts";
import { type Browser, thisBrowser } from "./browser.ts";
import { retryWaitMs } from "./clock.ts";
import { followLog } from "./follow-log.ts";
import { keptValues } from "./kept-values.ts";
import type { ConnectionState, LiveStream } from "./live-stream.ts";
import { overEventStream, overPolling, overWebSocket } from "./live-transports.ts";
import { newVisitorToken } from "./new-ids.ts";
import { openSharedStream } from "./one-socket.ts";
import { type OutboxMessage, openOutbox } from "./outbox.ts";
import { isRefusal, type MessageToSend, visitorRequests } from "./visitor-requests.ts";

/** A frame "types" that no other follows is over after this. */
const TYPING_MS = 8_000;
/** While the visitor goes on typing, how often that is told. */
const TYPING_STEP_MS = 3_000;
/** The wait after which it is told again what was seen, as a number of failures. */
const TELL_AGAIN = 3;
const PAGE_SIZE = 50;
const UNAUTHORIZED = 401;

export interface ChatState extends ChatContents, Moment {
  /** What was written and not confirmed yet, oldest first; none of it is in `messages`. */
  readonly outbox: readonly OutboxMessage[];
  /** `live` also before the first message, when there is nothing to listen to. */
  readonly connection: ConnectionState;
}

export interface VisitorChatOptions {
  /** Of the service: `https://chat.example.com`. */
  origin: string;
  widgetId: string;
  /** What is taken from the browser, where that is not the one we run in: tests and programs. */
  browser?: Partial<Browser>;
}

export interface VisitorChat {
  readonly state: ChatState;
  /** Shows what was said before, sends what is left in the outbox, and listens. A repeat does nothing. */
  open(): void;
  /**
   * Keeps a message and sends it; answers the `client_id` that it can be found by, at first in the outbox, then in the messages.
   * Name, e-mail and page visits are taken with the first message only.
   */
  send(message: Omit<MessageToSend, "client_id">): string;
  /** Sends what was refused once more, with these fields changed. */
  retry(clientId: string, changes?: Partial<MessageToSend>): void;
  discard(clientId: string): void;
  /** The visitor has looked at everything that is there. */
  seen(): void;
  /** To be called with every key; as often as is useful, it is told. */
  typing(typing: boolean): void;
  page(page: { url: string; title: string }): void;
  /** Answers false when there was nothing older, or it could not be fetched. */
  loadOlder(): Promise<boolean>;
  /** Calls `listener` after every change; the returned function ends it. */
  subscribe(listener: (state: ChatState) => void): () => void;
  /** Stops listening; the outbox stays for the next time. */
  close(): void;
  /** Forgets who the visitor is, and what was not sent: for a browser that others use too. */
  forget(): void;
}

export function createVisitorChat({ origin, widgetId, browser: given }: VisitorChatOptions): VisitorChat {
  const browser: Browser = { ...thisBrowser(), ...given };
  const { clock, fetch, WebSocket } = browser;
  const name = `frontdesk:${widgetId}`;
  const tokenKey = `${name}:token`;
  const kept = keptValues(browser.storage);
  const ask = visitorRequests(origin, widgetId, fetch, clock);
  const listeners = new Set<(state: ChatState) => void>();

  let contents = emptyChat;
  let moment = emptyMoment;
  let connection: ConnectionState = "live";
  let state = shown([]);
  let stream: LiveStream | undefined;
  let outbox: ReturnType<typeof openOutbox> | undefined;
  /** What ends with `close()`. */
  let ends: (() => void)[] = [];
  let loading = false;
  let loadAgain = false;
  /** The service does not know the token (any more); a message that it takes begins anew. */
  let over = false;
  /** The last fetch: there is no such visitor. */
  let refused = false;
  let failures = 0;
  let cancelLoad = () => {};
  let cancelTyping = () => {};
  /** When it was last told that the visitor types; 0 when they do not. */
  let typingTold = 0;
  let isTelling = false;
  let cancelTell = () => {};
  /** Up to where the visitor has looked, until the server knows. */
  let looked: { conversation_id: string; sort_number: number } | undefined;

  const follower = followLog<VisitorEventFrame, Chat>({
    fetch: fetchChat,
    replace(chat) {
      contents = chatContents(chat);
      change();
    },
    apply(event) {
      const next = applyEvent(contents, event);
      if (!next) return false;
      contents = next;
      if (event.message?.from === "agent") moment = { ...moment, typing: null };
      change();
      return true;
    },
  });

  return {
    get state() {
      return state;
    },
    open,
    send: (message) => opened().add(message),
    retry: (clientId, changes) => opened().retry(clientId, changes),
    discard: (clientId) => opened().discard(clientId),
    seen,
    typing,
    page: (page) => stream?.send({ type: "page", ...page }),
    loadOlder,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
    forget() {
      close();
      for (const key of kept.keys(`${name}:`)) kept.delete(key);
      contents = emptyChat;
      moment = emptyMoment;
      connection = "live";
      change();
    },
  };

  function open(): void {
    if (outbox) return;
    over = false;
    const opening = openOutbox({
      name: `${name}:outbox`,
      kept,
      locks: browser.locks,
      clock,
      post: (message) => ask(tokenToWriteWith(), "sendMessage", message),
      onSent(answer) {
        if (outbox !== opening) return;
        over = false;
        // Where another conversation is shown, the fetch that the event leads to shows it.
        contents = applyEvent(contents, answer) ?? contents;
        change();
        load();
      },
      onChange: change,
    });
    outbox = opening;
    ends = [browser.onWake(wake), browser.onStored(storedElsewhere), outbox.close];
    change();
    load();
  }

  function opened(): ReturnType<typeof openOutbox> {
    open();
    return outbox as ReturnType<typeof openOutbox>;
  }

  function close(): void {
    for (const end of ends) end();
    stream?.close();
    cancelLoad();
    cancelTyping();
    cancelTell();
    ends = [];
    stream = outbox = undefined;
  }

  function wake(): void {
    outbox?.wake();
    stream?.wake();
    load();
    tellSeen();
  }

  /** Another tab has written or sent something; with its first message there is something to listen to. */
  function storedElsewhere(): void {
    change();
    load();
  }

  /** Made in the moment in which the first message is sent; with locks, by one tab alone. */
  function tokenToWriteWith(): string {
    const known = kept.get(tokenKey);
    if (known) return known;
    const token = newVisitorToken();
    kept.set(tokenKey, token);
    return token;
  }

  /** Fetches the chat and begins to listen, once there is one. */
  async function load(): Promise<void> {
    loadAgain = true;
    if (loading || stream || over || !outbox || !kept.get(tokenKey)) return;
    loading = true;
    cancelLoad();
    while (loadAgain && !stream && outbox) {
      loadAgain = false;
      if (connection !== "offline") connected("connecting");
      refused = false;
      if (await follower.reset()) listen();
      // The token's first message was not sent yet.
      else if (refused && !contents.contact) connected("live");
      else connected("offline");
    }
    loading = false;
    if (stream || refused) failures = 0;
    else if (outbox) cancelLoad = clock.after(retryWaitMs(failures++, clock.random), load);
  }

  function listen(): void {
    const token = kept.get(tokenKey);
    if (!outbox || !token) return;
    const fallbacks = [overEventStream(origin, fetch), overPolling(origin, fetch, clock)] as const;
    stream = openSharedStream<VisitorEventFrame, TypingNowFrame | TeamPresenceFrame>(
      { name: `${name}:stream`, locks: browser.locks, channel: browser.channel },
      {
        token,
        widgetId,
        follower,
        transports: WebSocket ? [overWebSocket(origin, WebSocket), ...fallbacks] : fallbacks,
        clock,
        onConnection(state) {
          connected(state);
          if (state === "live") tellSeen();
        },
        onMoment,
        onEnd() {
          over = true;
          stream?.close();
          stream = undefined;
        },
      },
    );
  }

  async function fetchChat(): Promise<Chat | undefined> {
    const token = kept.get(tokenKey) ?? "";
    const answer = await ask(token, "openChat", { limit: PAGE_SIZE });
    refused = !answer.ok && answer.status === UNAUTHORIZED;
    // It may have been forgotten meanwhile.
    return answer.ok && token === kept.get(tokenKey) ? answer.body : undefined;
  }

  function onMoment(frame: TypingNowFrame | TeamPresenceFrame): void {
    cancelTyping();
    moment = applyMoment(moment, frame);
    if (moment.typing) {
      cancelTyping = clock.after(TYPING_MS, () => {
        moment = { ...moment, typing: null };
        change();
      });
    }
    change();
  }

  function typing(typing: boolean): void {
    const id = contents.conversation?.id;
    const now = clock.now();
    if (!id || (typing ? now < typingTold + TYPING_STEP_MS : typingTold === 0)) return;
    typingTold = typing ? now : 0;
    stream?.send({ type: "typing", conversation_id: id, typing });
  }

  function seen(): void {
    const { conversation, messages } = contents;
    const seen_number = messages.at(-1)?.sort_number ?? 0;
    if (!conversation || seen_number <= conversation.seen_number) return;
    looked = { conversation_id: conversation.id, sort_number: seen_number };
    contents = { ...contents, conversation: { ...conversation, seen_number } };
    change();
    tellSeen();
  }

  /** Once at a time, the latest, until the service knows. */
  async function tellSeen(): Promise<void> {
    const token = kept.get(tokenKey);
    const telling = looked;
    if (isTelling || !telling || !token) return;
    isTelling = true;
    const answer = await ask(token, "seeMessages", telling);
    isTelling = false;
    if (!answer.ok && !isRefusal(answer.status)) {
      cancelTell();
      if (outbox) cancelTell = clock.after(retryWaitMs(TELL_AGAIN, clock.random), tellSeen);
    } else if (looked === telling) looked = undefined;
    else tellSeen();
  }

  async function loadOlder(): Promise<boolean> {
    const [oldest] = contents.messages;
    const token = kept.get(tokenKey);
    if (!contents.hasMore || !oldest || !token) return false;
    const answer = await ask(token, "openChat", { before: oldest.sort_number, limit: PAGE_SIZE });
    if (!answer.ok) return false;
    contents = applyOlder(contents, answer.body);
    change();
    return true;
  }

  function connected(to: ConnectionState): void {
    if (connection === to) return;
    connection = to;
    change();
  }

  function change(): void {
    state = shown(outbox?.messages() ?? []);
    for (const listener of listeners) {
      try {
        listener(state);
      } catch (error) {
        // A fault of the screen is not to stop the chat.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  function shown(waiting: readonly OutboxMessage[]): ChatState {
    const sent = new Set(contents.messages.map(({ client_id }) => client_id));
    return { ...contents, ...moment, outbox: waiting.filter(({ client_id }) => !sent.has(client_id)), connection };
  }
}
