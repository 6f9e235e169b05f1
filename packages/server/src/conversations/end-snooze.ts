import type { Operation } from "../context.ts";
import type { FiredTimer } from "../timers/timer.ts";
import { unsnoozeConversation } from "./unsnooze-conversation.ts";

/**
 * The timer `end-snooze` of a conversation fires: it comes back, unless it was brought back, resolved or put off anew
 * meanwhile.
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
