/**
 * The chat of one visitor, from open to close. Messages wait in the outbox (outbox.ts), and the state is kept in sync with the
 * service:
 *
 *   idle      --load(), a token is known-----> fetching
 *   fetching  --fetched----------------------> listening (live-stream.ts)
 *             --load() meanwhile, not fetched-> fetching
 *             --401: nothing was sent yet----> idle
 *             --no answer--------------------> waiting
 *   waiting   --wait over, load()------------> fetching
 *             --401, though they had written-> idle, and blank: the visitor was erased
 *             --401, identity expired--------> closed (visitor-identity.ts)
 *   listening --4001-------------------------> fetching
 *   fetching, listening --404, 4004----------> the widget is gone: `onGone`
 *   any       --close()----------------------> closed; another visitor's chat is another session
 */
import type { VisitorEventFrame, VisitorEventName } from "@frontdesk/core/contract/live";
import type { Chat, ChatContact, ChatMessage } from "@frontdesk/core/contract/visitor";
import type { ReasonName } from "@frontdesk/core/domain/reasons";
import {
  applyEvent,
  applyPresence,
  type ChatContents,
  type ChatMoment,
  chatContents,
  emptyChat,
  emptyPresence,
} from "./apply-event.ts";
import { type ChatContext, change } from "./chat-context.ts";
import { retryLater } from "./clock.ts";
import { followLog } from "./follow-log.ts";
import type { ConnectionState, LiveStream } from "./live-stream.ts";
import { allTransports, GONE } from "./live-transports.ts";
import { type Outbox, openOutbox } from "./outbox.ts";
import { sendReceipt } from "./seen-receipt.ts";
import { openSharedStream } from "./shared-stream.ts";
import { ask, detailsTaken, detailsToSend, isExpired, storedToken, tokenToWriteWith } from "./visitor-identity.ts";
import { resendPresence, TYPING_MS } from "./visitor-presence.ts";
import { type MessageToSend, UNANSWERED, type VisitorAnswer } from "./visitor-requests.ts";

/** Messages per fetch. */
export const PAGE_SIZE = 50;
const UNAUTHORIZED = 401;
const SILENCE = { typing: null, draft: null };
/** After as many refused streams in a row, nothing is fetched any more. */
const REFUSALS_MAX = 3;
const NO_WIDGET: ReasonName = "not-found.widget";

/** The service's answer to an accepted message. */
type TakenMessage = Extract<VisitorAnswer<"sendMessage">, { ok: true }>["body"];

export interface ChatSession {
  readonly outbox: Outbox;
  /** Fetches the chat and, if there is one, starts listening. */
  load(): void;
  /** Drops frames while there is no connection. */
  send: LiveStream["send"];
  close(): void;
}

export function openChatSession(chat: ChatContext): ChatSession {
  const { browser, clock } = chat;
  /** Defined while listening. */
  let stream: LiveStream | undefined;
  let isClosed = false;
  let isFetching = false;
  let isAskedAgain = false;
  /** Whether the last fetch was answered with 401. */
  let isRefused = false;
  let failures = 0;
  let refusedStreams = 0;
  let cancelWait = () => {};
  let cancelTyping = () => {};
  /** Messages accepted since the last fetch began, which may not contain them. */
  let taken: ChatMessage[] = [];

  const follower = followLog<VisitorEventFrame, Chat>({
    fetch: fetchChat,
    replace: (fetched) => change(chat, taken.reduce(withMessage, chatContents(fetched))),
    apply: (event) => applyToChat(chat, event),
  });
  const outbox = openOutbox<MessageToSend, TakenMessage>({
    ...browser,
    name: `${chat.storageKey}:outbox`,
    values: chat.values,
    post: (message) => sendMessage(chat, message, () => isClosed),
    onSent(answer) {
      if (isClosed) return;
      detailsTaken(chat);
      // A message of another conversation is shown by the fetch that its event causes.
      const next = applyEvent(chat.state, { ...answer, contact: knownContact(chat, answer.contact) });
      if (follower.fetching) taken.push(answer.message);
      change(chat, next);
      load();
    },
    onChange: () => change(chat),
  });
  const ends = [browser.onWake(wake), browser.onStored(({ key }) => storedElsewhere(chat, key)), outbox.close];

  return {
    outbox,
    load,
    send: (frame) => stream?.send(frame),
    close() {
      isClosed = true;
      for (const end of ends) end();
      stream?.close();
      cancelWait();
      cancelTyping();
    },
  };

  function wake(): void {
    outbox.wake();
    stream?.wake();
    load();
    sendReceipt(chat);
  }

  async function load(): Promise<void> {
    isAskedAgain = true;
    if (isFetching || stream || isClosed || !storedToken(chat)) return;
    isFetching = true;
    isAskedAgain = false;
    cancelWait();
    if (chat.state.connection !== "offline") connected("connecting");
    const isFetched = await follower.reset();
    isFetching = false;
    if (isClosed) return;
    if (isFetched || isAskedAgain) return isFetched ? listen() : load();
    if (isRefused && chat.state.contact) beginAnew(chat);
    connected(isRefused && !chat.state.contact ? "live" : "offline");
    if (isRefused) failures = 0;
    else cancelWait = retryLater(clock, load, failures++);
  }

  async function fetchChat(): Promise<Chat | undefined> {
    const token = storedToken(chat);
    taken = [];
    const answer = await ask(chat, "openChat", { limit: PAGE_SIZE });
    isRefused = !answer.ok && answer.status === UNAUTHORIZED;
    if (!answer.ok && answer.body.reason === NO_WIDGET) chat.onGone();
    return answer.ok && !isClosed && token === storedToken(chat) ? answer.body : undefined;
  }

  function listen(): void {
    failures = 0;
    stream = openSharedStream<VisitorEventFrame, ChatMoment>({
      ...browser,
      name: `${chat.storageKey}:stream`,
      token: storedToken(chat),
      widgetId: chat.widgetId,
      follower,
      transports: allTransports(chat.origin, browser),
      onConnection: connected,
      onPresence,
      onEnd(code) {
        if (code === GONE) return chat.onGone();
        stream?.close();
        stream = undefined;
        if (++refusedStreams <= REFUSALS_MAX) void load();
      },
    });
  }

  function onPresence(frame: ChatMoment): void {
    cancelTyping();
    change(chat, applyPresence(chat.state, frame));
    if (chat.state.typing ?? chat.state.draft) cancelTyping = clock.after(TYPING_MS, () => change(chat, SILENCE));
  }

  function connected(connection: ConnectionState): void {
    if (connection === chat.state.connection) return;
    change(chat, { connection });
    if (connection !== "live") return;
    refusedStreams = 0;
    resendPresence(chat);
    sendReceipt(chat);
  }
}

/** What a later event has said of the contact may have come before the answer. */
function knownContact({ state: { contact } }: ChatContext, answered: ChatContact): ChatContact {
  return contact?.id === answered.id ? contact : answered;
}

function applyToChat(chat: ChatContext, event: VisitorEventFrame): boolean {
  const next = applyEvent(chat.state, event);
  if (EMPTYING.has(event.name)) chat.redactedAt = event.number;
  if (next) change(chat, { ...next, ...(event.message?.from === "agent" && { typing: null }) });
  return !!next;
}

/** Take a text or files of messages that stay. */
const EMPTYING: ReadonlySet<string> = new Set([
  "message.redacted",
  "conversation.texts-erased",
  "conversation.files-erased",
] satisfies VisitorEventName[]);

/** The service does not know the visitor any more: they were erased. */
function beginAnew(chat: ChatContext): void {
  chat.values.delete(`${chat.storageKey}:introduced`);
  chat.unconfirmed = undefined;
  change(chat, { ...emptyChat, ...emptyPresence });
}

const withMessage = (contents: ChatContents, message: ChatMessage) => applyEvent(contents, { message }) ?? contents;

/** Only the open session sends: a message may have moved to another visitor with its outbox. */
async function sendMessage(
  chat: ChatContext,
  message: MessageToSend,
  isClosed: () => boolean,
): Promise<VisitorAnswer<"sendMessage">> {
  await chat.identifying;
  if (isClosed()) return UNANSWERED;
  const details = detailsToSend(chat);
  const answer = await ask(chat, "sendMessage", { ...details, ...message }, tokenToWriteWith(chat));
  // It is sent once the page has identified the visitor again.
  if (isExpired(answer)) return UNANSWERED;
  if (details && !answer.ok && Object.keys(answer.body.errors ?? {}).some((field) => !(field in message))) {
    // Wrong details from the page must not stop a message.
    chat.onIdentified(answer);
    chat.pageDetails = undefined;
    return sendMessage(chat, message, isClosed);
  }
  return answer;
}

/** Another tab has written, sent or deleted something; from the first message on there is something to listen to. */
function storedElsewhere(chat: ChatContext, key: string | null): void {
  // The loader stores its mark under this key when its page has our origin.
  if (key === chat.anonymousKey) return;
  if (chat.state.contact && !storedToken(chat)) chat.enter(chat.storageKey);
  else {
    change(chat);
    chat.session?.load();
  }
}
