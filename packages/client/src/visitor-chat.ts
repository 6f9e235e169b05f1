/**
 * The chat of a visitor as a store: what the widget shows, and what a visitor can do. It puts the parts together:
 *
 *   send() -> outbox.ts -> POST /messages
 *   GET /chat -> follow-log.ts <- live-stream.ts, of this tab or another (one-socket.ts)
 *                    `-> apply-event.ts -> state -> subscribers
 *
 * Before the first message nothing is stored and nothing is asked (docs/decisions/0020-live-stream.md).
 */
import type { PageFrame, TeamPresenceFrame, TypingNowFrame, VisitorEventFrame } from "@frontdesk/core/contract/live";
import type { Chat, ChatMessage, IDENTITY_EXPIRED } from "@frontdesk/core/contract/visitor";
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
import { drawerOf, type Introduction, moveDrawer, printOf } from "./introduction.ts";
import { keptValues } from "./kept-values.ts";
import type { ConnectionState, LiveStream } from "./live-stream.ts";
import { overEventStream, overPolling, overWebSocket } from "./live-transports.ts";
import { newVisitorToken } from "./new-ids.ts";
import { openSharedStream } from "./one-socket.ts";
import { type Outbox, type OutboxMessage, openOutbox } from "./outbox.ts";
import { type FileToSend, type Upload, type UploadAnswer, uploadFile } from "./upload.ts";
import {
  type AskVisitor,
  isRefusal,
  type MessageToSend,
  UNANSWERED,
  type VisitorAnswer,
  type VisitorOperationName,
  visitorAddress,
  visitorRequests,
} from "./visitor-requests.ts";

/** A frame "types" that no other follows is over after this. */
const TYPING_MS = 8_000;
/** While the visitor goes on typing, how often that is told. */
const TYPING_STEP_MS = 3_000;
/** The wait after which it is told again what was seen and who is here, as a number of failures. */
const TELL_AGAIN = 3;
const PAGE_SIZE = 50;
const UNAUTHORIZED = 401;
/** The page has said nothing of the visitor. */
const NOTHING: Introduction = {};
const EXPIRED: typeof IDENTITY_EXPIRED = "identity.exp";

export interface ChatState extends ChatContents, Moment {
  /** What was written and not confirmed yet, oldest first; none of it is in `messages`. */
  readonly outbox: readonly OutboxMessage[];
  /** `live` also before the first message, when there is nothing to listen to. */
  readonly connection: ConnectionState;
  /** What vouched for the visitor has run out: until the page introduces them with a new identity, they are unknown. */
  readonly expired: boolean;
}

export interface VisitorChatOptions {
  /** Of the service: `https://chat.example.com`. */
  origin: string;
  widgetId: string;
  /** What is taken from the browser, where that is not the one we run in: tests and programs. */
  browser?: Partial<Browser>;
  /** Told what became of what the page says of its visitor: for who writes the page. */
  onIntroduced?(answer: VisitorAnswer<"introduce">): void;
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
  /**
   * What the page knows of the visitor. Told once, also over the pages of a site, and with an `identity` the chat becomes that
   * person's. Of a visitor who has not written and whom nobody vouches for, it goes with the first message. Answers what the
   * service said; undefined when it did not have to be asked.
   */
  introduce(introduction: Introduction): Promise<VisitorAnswer<"introduce"> | undefined>;
  /** Sends a file, for a message that is sent once it is there. */
  upload(file: FileToSend, onProgress: (part: number) => void): Upload;
  /** What the visitor thought of the conversation; answers false when it could not be told. */
  rate(rating: number, comment: string): Promise<boolean>;
  /** The visitor has looked at everything that is there. */
  seen(): void;
  /** To be called with every key; as often as is useful, it is told. */
  typing(typing: boolean): void;
  /** The page that the visitor is on; told again with each new connection. What is no page of the web is not told. */
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

/** Whether the service takes the address: a page in a file or an app has another one, and is nobody's to visit. */
export const isWebPage = ({ url }: { url: string }): boolean => /^https?:.{1,2040}$/.test(url);

export function createVisitorChat({
  origin,
  widgetId,
  browser: given,
  onIntroduced = () => {},
}: VisitorChatOptions): VisitorChat {
  const browser: Browser = { ...thisBrowser(), ...given };
  const { clock, fetch, WebSocket } = browser;
  const name = `frontdesk:${widgetId}`;
  const kept = keptValues(browser.storage);
  const request = visitorRequests(origin, widgetId, fetch, clock);
  const listeners = new Set<(state: ChatState) => void>();

  /** Of the visitor whose chat it is: what is kept begins with it (introduction.ts). */
  let drawer = name;
  /** All that the page has said of the visitor. */
  let introduction = NOTHING;
  let introducing: Promise<unknown> | undefined;
  /** How often everything was forgotten: what began before it has no say after it. */
  let lives = 0;
  let cancelIntroduce = () => {};
  let expired = false;
  /** An identity that the service does not take, and will not. */
  let notTaken = "";
  let contents = emptyChat;
  let moment = emptyMoment;
  let connection: ConnectionState = "live";
  let state = shown([]);
  let stream: LiveStream | undefined;
  let outbox: Outbox | undefined;
  /** Messages that were answered since the last fetch began: it may have been made before them. */
  let answered: ChatMessage[] = [];
  /** What ends with `close()`; a list of its own for each opening, which tells one from the next. */
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
  /** The page that the visitor is on. */
  let visited: PageFrame | undefined;
  let isTelling = false;
  let cancelTell = () => {};
  /** Up to where the visitor has looked, until the server knows. */
  let looked: { conversation_id: string; sort_number: number } | undefined;

  const ask: AskVisitor = async (token, operation, input) => {
    const answer = await request(token, operation, input);
    lookAt(answer, token);
    return answer;
  };

  const follower = followLog<VisitorEventFrame, Chat>({
    fetch: fetchChat,
    replace(chat) {
      contents = answered.reduce((next, message) => applyEvent(next, { message }) ?? next, chatContents(chat));
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
    introduce(details) {
      introduction = { ...introduction, ...details };
      return introduceInTurn(details);
    },
    upload,
    rate,
    seen,
    typing,
    page(page) {
      if (!isWebPage(page)) return;
      visited = { type: "page", ...page };
      stream?.send(visited);
    },
    loadOlder,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
    forget() {
      lives += 1;
      close();
      for (const key of kept.keys(name)) kept.delete(key);
      introduction = NOTHING;
      expired = false;
      show(name);
    },
  };

  function open(): void {
    if (outbox) return;
    over = false;
    const mine: typeof ends = [];
    // Only the outbox that is open may send. It has no name to tell it by yet: where its lock is free, it sends at once.
    const isOpen = () => ends === mine;
    ends = mine;
    outbox = openOutbox({
      name: `${drawer}:outbox`,
      kept,
      locks: browser.locks,
      clock,
      post: (message) => post(message, isOpen),
      onSent(answer) {
        if (!isOpen()) return;
        over = false;
        // What of its data pages may not set, only an introduction answers.
        const isTold = !contents.contact && introduction !== NOTHING && !introduction.data;
        if (isTold) kept.set(`${drawer}:introduced`, printOf(introduction));
        // Where another conversation is shown, the fetch that the event leads to shows it.
        contents = applyEvent(contents, answer) ?? contents;
        if (follower.fetching) answered.push(answer.message);
        change();
        load();
      },
      onChange: change,
    });
    mine.push(browser.onWake(wake), browser.onStored(storedElsewhere), outbox.close);
    change();
    load();
  }

  function opened(): Outbox {
    open();
    return outbox as Outbox;
  }

  function close(): void {
    for (const end of ends) end();
    stream?.close();
    cancelLoad();
    cancelTyping();
    cancelTell();
    cancelIntroduce();
    ends = [];
    stream = outbox = undefined;
  }

  /** Empties the screen, for the chat of this drawer. */
  function show(whose: string): void {
    drawer = whose;
    contents = emptyChat;
    moment = emptyMoment;
    connection = "live";
    looked = undefined;
    change();
  }

  /** Shows another one's chat, or the same anew. */
  function enter(whose: string): void {
    const wasOpen = outbox;
    close();
    show(whose);
    if (wasOpen) open();
  }

  function wake(): void {
    outbox?.wake();
    stream?.wake();
    load();
    tellSeen();
  }

  /** Another tab has written or sent something; with its first message there is something to listen to. Or it has forgotten all. */
  function storedElsewhere({ key }: { key: string | null }): void {
    // The loader's mark, where its page is of our origin: it says nothing of what is kept here.
    if (key === name) return;
    if (contents.contact && !knownToken()) enter(drawer);
    else {
      change();
      load();
    }
  }

  /** One after another: of two requests at once the service may perform the older one last, and its words would stay. */
  function introduceInTurn(details: Introduction): Promise<VisitorAnswer<"introduce"> | undefined> {
    const answer = introduce(details, introducing);
    introducing = answer;
    return answer;
  }

  async function introduce(
    details: Introduction,
    before: Promise<unknown> | undefined,
  ): Promise<VisitorAnswer<"introduce"> | undefined> {
    const life = lives;
    const { identity } = details;
    const drawerOfThis = () => {
      const whose = identity === undefined ? drawer : drawerOf(name, identity);
      // The page speaks of another person: the one before is gone, whatever becomes of this.
      if (whose !== drawer && drawer !== name) enter(name);
      return whose;
    };
    drawerOfThis();
    if (before) await before;
    if (life !== lives) return undefined;
    cancelIntroduce();
    const whose = drawerOfThis();
    if (identity && identity === notTaken) return undefined;
    if (kept.get(`${whose}:introduced`) === printOf(details)) {
      vouched(whose);
      return undefined;
    }
    const own = knownToken(whose);
    const written = kept.keys(`${name}:outbox:`);
    if (identity && !own) {
      // Before it is asked: should its answer never come, the stranger's chat may be that person's already.
      moveDrawer(kept, name, whose);
      enter(whose);
    }
    const token = knownToken(whose) ?? (identity && newVisitorToken());
    if (!token) return undefined;
    const answer = await ask(token, "introduce", details);
    if (life !== lives) return undefined;
    if (!answer.ok && !isRefusal(answer.status)) {
      cancelIntroduce = clock.after(retryWaitMs(TELL_AGAIN, clock.random), () => introduceInTurn(details));
      return answer;
    }
    onIntroduced(answer);
    if (answer.ok) {
      const { contact } = answer.body;
      if (contact) {
        kept.set(`${whose}:token`, token);
        kept.set(`${whose}:introduced`, printOf(details));
      }
      // What was written while it was asked who they are is theirs; what waited before it is not.
      if (whose !== drawer) moveDrawer(kept, `${name}:outbox`, `${whose}:outbox`, written);
      vouched(whose, contact);
    } else if (identity) {
      if (!own) moveDrawer(kept, whose, name);
      notTaken = identity;
      leave(EXPIRED in (answer.body.errors ?? {}));
    }
    return answer;
  }

  /** The chat is theirs from now on. `contact`: where the service has just said who they are. */
  function vouched(whose: string, contact = contents.contact): void {
    expired = false;
    const isOther = contact?.id !== contents.contact?.id;
    contents = { ...contents, contact };
    if (whose !== drawer || isOther) enter(whose);
    else change();
  }

  /** What is asked in the name of somebody who was vouched for may find that this is over. */
  function lookAt(answer: Answer, token: string): void {
    if (isOver(answer) && token === knownToken()) sessionIsOver();
  }

  function sessionIsOver(): void {
    kept.delete(`${drawer}:introduced`);
    if (drawer === name) kept.delete(`${drawer}:token`);
    leave(true);
  }

  /** Nobody vouches for the visitor any more: from now on they are a stranger. */
  function leave(isOver: boolean): void {
    expired = isOver;
    enter(name);
  }

  async function post(message: MessageToSend, isOpen: () => boolean): Promise<VisitorAnswer<"sendMessage">> {
    await introducing;
    if (!isOpen()) return UNANSWERED;
    const said = contents.contact ? NOTHING : introduction;
    const answer = await ask(tokenToWriteWith(), "sendMessage", { ...said, ...message });
    if (answer.ok) return answer;
    // The page introduces them anew, and then it is sent.
    if (isOver(answer)) return UNANSWERED;
    const fields = Object.keys(answer.body.errors ?? {});
    if (said !== NOTHING && fields.some((field) => !(field in message))) {
      // What the page says wrongly keeps no message from being sent.
      onIntroduced(answer);
      introduction = NOTHING;
      return post(message, isOpen);
    }
    return answer;
  }

  /** Made in the moment in which the first message is sent; with locks, by one tab alone. */
  function tokenToWriteWith(): string {
    const token = knownToken() ?? newVisitorToken();
    kept.set(`${drawer}:token`, token);
    return token;
  }

  function knownToken(of = drawer): string | null {
    return kept.get(`${of}:token`);
  }

  /** Fetches the chat and begins to listen, once there is one. */
  async function load(): Promise<void> {
    loadAgain = true;
    if (loading || stream || over || !outbox || !knownToken()) return;
    loading = true;
    cancelLoad();
    while (loadAgain && !stream && outbox) {
      loadAgain = false;
      if (connection !== "offline") connected("connecting");
      refused = false;
      if (await follower.reset()) listen();
      else if (loadAgain) continue;
      // The token's first message was not sent yet.
      else if (refused && !contents.contact) connected("live");
      else connected("offline");
    }
    loading = false;
    if (stream || refused) failures = 0;
    else if (outbox) cancelLoad = clock.after(retryWaitMs(failures++, clock.random), load);
  }

  function listen(): void {
    const token = knownToken();
    if (!outbox || !token) return;
    const fallbacks = [overEventStream(origin, fetch), overPolling(origin, fetch, clock)] as const;
    stream = openSharedStream<VisitorEventFrame, TypingNowFrame | TeamPresenceFrame>(
      { name: `${drawer}:stream`, locks: browser.locks, channel: browser.channel },
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
          if (drawer !== name) return sessionIsOver();
          over = true;
          stream?.close();
          stream = undefined;
        },
      },
    );
  }

  async function fetchChat(): Promise<Chat | undefined> {
    const token = knownToken() ?? "";
    const opened = outbox;
    answered = [];
    const answer = await ask(token, "openChat", { limit: PAGE_SIZE });
    refused = !answer.ok && answer.status === UNAUTHORIZED;
    // It may have been forgotten meanwhile, or be another one's.
    return answer.ok && token === knownToken() && outbox === opened ? answer.body : undefined;
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
    if (!id || (typing ? now < typingTold + TYPING_STEP_MS : !typingTold)) return;
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
    const token = knownToken();
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

  function upload(file: FileToSend, onProgress: (part: number) => void): Upload {
    const token = tokenToWriteWith();
    const sending = uploadFile(`${visitorAddress(origin, widgetId)}/files`, token, file, onProgress);
    sending.done.then((answer) => lookAt(answer, token));
    return sending;
  }

  async function rate(rating: number, comment: string): Promise<boolean> {
    const id = contents.conversation?.id;
    const token = knownToken();
    if (!id || !token) return false;
    const answer = await ask(token, "rate", { conversation_id: id, rating, ...(comment && { comment }) });
    if (answer.ok) {
      contents = applyEvent(contents, answer.body) ?? contents;
      change();
    }
    return answer.ok;
  }

  async function loadOlder(): Promise<boolean> {
    const [oldest] = contents.messages;
    const token = knownToken();
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
    if (to !== "live") return;
    // What was sent before is lost.
    if (visited) stream?.send(visited);
    if (clock.now() < typingTold + TYPING_MS) {
      typingTold = 0;
      typing(true);
    }
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
    return {
      ...{ ...contents, ...moment, connection, expired },
      outbox: waiting.filter(({ client_id }) => !sent.has(client_id)),
    };
  }
}

type Answer = VisitorAnswer<VisitorOperationName> | UploadAnswer;

/** The session is known, and has run out (`visitorOperations.introduce`). */
function isOver(answer: Answer): boolean {
  return !answer.ok && answer.status === UNAUTHORIZED && answer.body.errors?.identity !== undefined;
}
