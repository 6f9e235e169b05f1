/** What the built-in AI is about to say, as the stream tells it (docs/decisions/0085-drafts-of-answers.md). */
import type { DraftFrame } from "@frontdesk/core/contract/live";
import type { ChatConversation } from "@frontdesk/core/contract/visitor";

/** The last frame; a stream brings them in order. One without a text withdraws what was there. */
export type AiDraft = DraftFrame;

/**
 * The draft as long as it may be shown: the AI speaks, and no one has written since. So in any order of frames and events no
 * draft is shown beside the message that it has become, or after another voice.
 *
 * @param newest the sort number of the newest message; 0 without one
 */
export function standingDraft(
  draft: AiDraft | null,
  conversation: Pick<ChatConversation, "id" | "speaker" | "is_resolved"> | null | undefined,
  newest: number,
): AiDraft | null {
  const isOwn = draft?.text && conversation && conversation.id === draft.conversation_id;
  return isOwn && conversation.speaker === "ai" && !conversation.is_resolved && newest <= draft.after ? draft : null;
}
