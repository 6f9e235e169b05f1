/**
 * What the visitor does at this moment, for the team: typing, and the page they are on. None of it is stored, so a new
 * connection is sent it again.
 *
 *   not typing --typing(true): sent--> typing --typing(true), 3 s later: sent again--+
 *       ^                                | ^                                         |
 *       '------- typing(false): sent ----' '-----------------------------------------'
 */
import type { ChatContext } from "./chat-context.ts";

/** Without another frame, typing is over after this on the other side. */
export const TYPING_MS = 8_000;
/** While the visitor goes on typing, how often that is sent. */
const TYPING_STEP_MS = 3_000;

/** Whether the service takes the address: a page in a file or an app has another kind. */
export const isWebPage = ({ url }: { url: string }): boolean => /^https?:.{1,2040}$/.test(url);

/** To be called with every key. */
export function sendTyping(chat: ChatContext, typing: boolean): void {
  const id = chat.state.conversation?.id;
  const now = chat.clock.now();
  if (!id || (typing ? now < chat.typingSentAt + TYPING_STEP_MS : !chat.typingSentAt)) return;
  chat.typingSentAt = typing ? now : 0;
  chat.session?.send({ type: "typing", conversation_id: id, typing });
}

export function sendPage(chat: ChatContext, page: { url: string; title: string }): void {
  if (!isWebPage(page)) return;
  chat.visited = { type: "page", ...page };
  chat.session?.send(chat.visited);
}

/** There is a new connection: what was sent over the last one is lost. */
export function resendPresence(chat: ChatContext): void {
  if (chat.visited) chat.session?.send(chat.visited);
  if (chat.clock.now() < chat.typingSentAt + TYPING_MS) {
    chat.typingSentAt = 0;
    sendTyping(chat, true);
  }
}
