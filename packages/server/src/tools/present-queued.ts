import type { Queued } from "@frontdesk/core/contract/tool-resources";
import type { ChangedSeveral } from "../assistants/change-several.ts";

/** What a bulk tool returns: that the work is queued, or for a single conversation the result of `done`. */
export function presentQueued<Done>(changed: ChangedSeveral<unknown>, done: (ids: string[]) => Done): Done | Queued {
  if ("conversationId" in changed) return done([changed.conversationId]);
  return { queued: true, queued_conversation_ids: changed.queued, skipped_conversation_ids: changed.skipped };
}
