/** The agent's side: the inbox as a store, for a dashboard or another program. It is independent of any framework. */

export { fileSizeText } from "@frontdesk/core/domain/file-size";
export type { AgentInbox, AgentInboxOptions } from "./agent-inbox.ts";
export { createAgentInbox } from "./agent-inbox.ts";
export { firstReason, type GivenReason } from "./agent-requests.ts";
export type { AiDraft } from "./ai-draft.ts";
export { aiDraftOf } from "./ai-drafts-in-inbox.ts";
export type { Browser } from "./browser.ts";
export { isEmojiOnly } from "./emoji-only.ts";
export { inboxRoutes } from "./inbox-routes.ts";
export type { Face, InboxState, KnownConversation, ListState, Presence, ThreadState, Typist } from "./inbox-state.ts";
export { listKey } from "./inbox-state.ts";
export type { AgentInboxState, MessageFromInbox, WaitingMessage } from "./inbox-store.ts";
export { linkedText, type TextPiece } from "./linked-text.ts";
export type { ConnectionState } from "./live-stream.ts";
export type { DraftMode } from "./local-drafts.ts";
export type { Refused } from "./outbox.ts";
export { addressOf, type OperationInput, type RequestParts, type Route } from "./routes.ts";
export type { Problem } from "./visitor-requests.ts";
