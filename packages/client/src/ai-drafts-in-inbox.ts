/** What the built-in AI is about to say, in the state of the inbox. */
import type { DraftFrame } from "@frontdesk/core/contract/live";
import { type AiDraft, standingDraft } from "./ai-draft.ts";
import type { InboxState } from "./inbox-state.ts";

/** What the AI is about to say in a conversation, as long as that may be shown. */
export function aiDraftOf(
  { aiDrafts, conversations, threads }: Pick<InboxState, "aiDrafts" | "conversations" | "threads">,
  conversationId: string,
): AiDraft | null {
  const draft = aiDrafts.get(conversationId);
  if (!draft) return null;
  const { conversation } = conversations.get(conversationId) ?? {};
  const { last_message: listed } = conversation ?? {};
  const shown = threads.get(conversationId)?.messages.findLast(({ type }) => type === "message");
  return standingDraft(
    draft,
    conversation,
    Math.max(listed?.type === "message" ? listed.sort_number : 0, shown?.sort_number ?? 0),
  );
}

export function withAiDraft(state: InboxState, frame: DraftFrame): InboxState {
  if (!frame.text) return withoutAiDraft(state, frame.conversation_id);
  return { ...state, aiDrafts: new Map(state.aiDrafts).set(frame.conversation_id, frame) };
}

/** Without the draft of a conversation when it may not be shown any more. */
export function withStandingDraft(state: InboxState, conversationId: string): InboxState {
  return aiDraftOf(state, conversationId) ? state : withoutAiDraft(state, conversationId);
}

export function withoutAiDraft(state: InboxState, conversationId: string): InboxState {
  if (!state.aiDrafts.has(conversationId)) return state;
  const aiDrafts = new Map(state.aiDrafts);
  aiDrafts.delete(conversationId);
  return { ...state, aiDrafts };
}
