import type { Operation } from "../context.ts";
import type { FiredTimer } from "../timers/timer.ts";
import { unsnoozeConversation } from "./unsnooze-conversation.ts";

/**
 * Run by the timer `end-snooze` of a conversation: it returns to the open lists, unless it was unsnoozed, resolved or snoozed
 * again meanwhile.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const endSnooze: Operation<FiredTimer<"end-snooze">, void> = {
  name: "end-snooze",
  mode: "write",
  async run(ctx, { subjectId, armedFor }) {
    await unsnoozeConversation.run(ctx, { conversationId: subjectId, until: armedFor });
  },
};
