/**
 * What the visitor does at this moment, for the team: typing, and the page they are on. It is not stored, so it is sent again
 * over a new connection.
 *
 *   not typing --typing(true): sent--> typing --typing(true), 3 s later: sent again--+
 *       ^                                | ^                                         |
 *       '------- typing(false): sent ----' '-----------------------------------------'
 */
import type { ChatContext } from "./chat-context.ts";

/** The other side ends typing this long after the last frame. */
export const TYPING_MS = 8_000;
/** Interval at which typing is sent while the visitor types. */
const TYPING_STEP_MS = 3_000;

/** Whether the service accepts the address: pages in a file or an app have other schemes. */
export const isWebPage = ({ url }: { url: string }): boolean => /^https?:.{1,2040}$/.test(url);

/** Call it on every key press; sending is throttled. */
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

/** The connection is new: frames sent over the last one are lost. */
export function resendPresence(chat: ChatContext): void {
  if (chat.visited) chat.session?.send(chat.visited);
  if (chat.clock.now() < chat.typingSentAt + TYPING_MS) {
    chat.typingSentAt = 0;
    sendTyping(chat, true);
  }
}
