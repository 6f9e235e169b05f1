/** The visitor's side of a chat, for a widget or another page. It needs only the browser. */
export type { ArticlePart, ArticleToRead, SuggestedArticle, UploadedFile } from "@frontdesk/core/contract/visitor";
export { fileSizeText } from "@frontdesk/core/domain/file-size";
export type { ChatContents, ChatPresence } from "./apply-event.ts";
export { unreadMessages } from "./apply-event.ts";
export type { Browser, Channel, Locks } from "./browser.ts";
export { storageOf, storedValues } from "./browser-storage.ts";
export type { ChatState } from "./chat-context.ts";
export { isEmojiOnly } from "./emoji-only.ts";
export { linkedText, type TextPiece } from "./linked-text.ts";
export type { ConnectionState } from "./live-stream.ts";
export type { OutboxMessage, Refused } from "./outbox.ts";
export type { FileToSend, Upload, UploadAnswer } from "./upload.ts";
export type { VisitorChat, VisitorChatOptions } from "./visitor-chat.ts";
export { createVisitorChat } from "./visitor-chat.ts";
export { isWebPage } from "./visitor-presence.ts";
export type { MessageToSend, VisitorAnswer } from "./visitor-requests.ts";
export { isRefusal } from "./visitor-requests.ts";
export type { IdentifyDetails } from "./visitor-storage.ts";
