import type { OperationName } from "@frontdesk/core/domain/policy";
import { notAllowed, Refusal } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { Perform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { assistantActor, isLive } from "./assistant.ts";
import { assistantById } from "./assistant-store.ts";
import { endQueuedChange, queuedChangeById } from "./queued-change-store.ts";

/** The operations that can be queued. */
const operations: { [Name in OperationName]?: Operation<never, unknown> } = {
  "set-conversation-status": setConversationStatus,
  "assign-agent": assignAgent,
};

/**
 * The handler of the job `change-conversation`: performs what an assistant has queued, once. The change and its end are one
 * commit, so that a job that runs again after a crash finds it done. A refusal is an end as well, with its reason: the
 * conversation is gone, or the assistant may no longer (decision 60).
 */
export function changeConversationJob(
  storage: Storage,
  now: () => number,
  perform: () => Perform,
): JobHandler<"change-conversation"> {
  return async ({ changeId }, { teamId }) => {
    const key = { team_id: teamId, id: changeId };
    const change = await storage.first(queuedChangeById, key);
    if (change?.state !== "waiting") return;
    const row = await storage.first(assistantById, { team_id: teamId, id: change.assistant_id });
    const operation = operations[change.operation as OperationName] as Operation<object, unknown> | undefined;
    if (!row || !operation) throw new Error(`The queued change ${changeId} names what is not there.`);

    const input = { conversationId: change.conversation_id, ...JSON.parse(change.input) };
    try {
      if (!isLive(row)) throw notAllowed("assistant-inactive");
      await perform()(assistantActor(row), onceOnly(operation, changeId), input);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const end = { ...key, state: "refused", message: error.message, ended_at: now() };
      await storage.write(teamId, (db) => db.run(endQueuedChange, end));
    }
  };
}

/** The operation, unless it was done before, and the note that it is done. */
function onceOnly(operation: Operation<object, unknown>, changeId: string): Operation<object, void> {
  return {
    name: operation.name,
    mode: "write",
    async run(ctx, input) {
      const key = { team_id: ctx.teamId, id: changeId };
      const change = await ctx.db.first(queuedChangeById, key);
      if (change?.state !== "waiting") return;
      await operation.run(ctx, input);
      ctx.write(endQueuedChange, { ...key, state: "done", message: null, ended_at: ctx.now });
    },
  };
}
