import { canonicalId } from "@frontdesk/core/domain/id";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { actorOfKind } from "../access/actor.ts";
import type { Context, Operation } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { insertQueuedChange } from "./queued-change-store.ts";

export type ChangedSeveral<Result> =
  /** It was a single one, and it is done. */
  | { conversationId: string; result: Result }
  /** Each is done by a job of its own. `skipped`: those that do not exist, or may not be seen. */
  | { queued: string[]; skipped: string[] };

/**
 * `operation` on 1 to 100 conversations: a single one is changed at once, two or more are queued, one stored job each
 * (specification, "Confirmation flow"; decisions 53, 60). A repeated id counts once.
 *
 * @throws Refusal `not-found` when the single one does not exist
 */
export function changeSeveral<Input extends { conversationId: string }, Result>(
  operation: Operation<Input, Result>,
): Operation<{ conversationIds: readonly string[]; rest: Omit<Input, "conversationId"> }, ChangedSeveral<Result>> {
  return {
    name: operation.name,
    mode: "write",
    async run(ctx, { conversationIds, rest }) {
      const asked = distinct(conversationIds);
      const [single, ...more] = asked;
      if (single !== undefined && more.length === 0) {
        const input = { conversationId: single, ...rest } as unknown as Input;
        return { conversationId: single, result: await operation.run(ctx, input) };
      }
      const { visible, skipped } = await sortOut(ctx, asked);
      for (const conversationId of visible) queue(ctx, operation.name, conversationId, rest);
      return { queued: visible, skipped };
    },
  };
}

/** Which of the conversations the actor may see, in the given order. */
export async function sortOut(ctx: Context, conversationIds: readonly string[]) {
  const visible: string[] = [];
  const skipped: string[] = [];
  for (const id of distinct(conversationIds)) {
    const found = await findConversation(ctx, id).catch((error: unknown) => {
      if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
      throw error;
    });
    if (found) visible.push(found.id);
    else skipped.push(id);
  }
  return { visible, skipped };
}

/** In their canonical form; an invalid id is left unchanged, and will not be found. */
const distinct = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => canonicalId(id) ?? id))];

function queue(ctx: Context, operation: string, conversationId: string, rest: object): void {
  const { assistantId } = actorOfKind(ctx.actor, "assistant");
  const id = ctx.newId();
  ctx.write(insertQueuedChange, {
    team_id: ctx.teamId,
    id,
    assistant_id: assistantId,
    conversation_id: conversationId,
    operation,
    input: JSON.stringify(rest),
    state: "waiting",
    message: null,
    queued_at: ctx.now,
    ended_at: null,
  });
  ctx.enqueue({ kind: "change-conversation", payload: { changeId: id } });
}
