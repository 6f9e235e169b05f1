import { Refusal } from "@frontdesk/core/domain/refusal";
import type { Perform } from "../perform.ts";
import { unsnoozeConversation } from "./unsnooze-conversation.ts";

/**
 * The handler of the job `wake-conversation`: brings back a conversation at the time until which it was put off. One that
 * was brought back, resolved or put off anew meanwhile is left as it is, and so is one that is gone.
 */
export function wakeConversationJob(perform: () => Perform) {
  return async (payload: unknown): Promise<void> => {
    const { teamId, conversationId, until } = payload as { teamId: string; conversationId: string; until: number };
    try {
      await perform()({ kind: "system", teamId }, unsnoozeConversation, { conversationId, until });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };
}
