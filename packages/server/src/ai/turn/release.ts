import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import type { SystemActor } from "../../access/actor.ts";
import type { Context, Operation } from "../../context.ts";
import { type ConversationWithPeople, findConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Perform } from "../../perform.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { logRun, withoutCalls } from "../runs/log-run.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { changeSpeaker } from "../speaker/change-speaker.ts";
import { handOver } from "./hand-over.ts";
import type { TurnLog } from "./turn.ts";
import { deleteTurn, freeEveryTurnOf, heldByAi } from "./turn-store.ts";

/** Conversations of one commit: the team's other writes wait for it. */
const AT_ONCE = 50;

/**
 * The AI of the team was switched off: its turns end in words at once, those under way included, in their own lane. Conversations
 * in which no visitor waits become people's by a job.
 */
export function releaseEverything(ctx: Context): void {
  ctx.write(freeEveryTurnOf, { team_id: ctx.teamId, due_at: ctx.now });
  ctx.turnDue(ctx.now);
  ctx.enqueue({ kind: "release-from-ai", payload: {} });
}

/** Releases in pieces until none is left. A repeat goes on with what is left, so a job that died loses nothing. */
export function releaseFromAiJob(perform: () => Perform): JobHandler<"release-from-ai"> {
  return async (_payload, { teamId, signal }) => {
    const system: SystemActor = { kind: "system", teamId };
    for (let left = true; left; ) {
      signal.throwIfAborted();
      left = await perform()(system, releaseFromAi, {});
    }
  };
}

/** Makes some conversations of an AI that is off people's. Returns whether some are left; none are once it is on again. */
export const releaseFromAi: Operation<Record<never, never>, boolean> = {
  name: "release-from-ai",
  mode: "write",
  async run(ctx) {
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    if (!row || row.is_active === 1) return false;
    const held = await ctx.db.all(heldByAi, { team_id: ctx.teamId, limit: AT_ONCE });
    for (const { id } of held)
      await release(ctx, await findConversationWithPeople(ctx, id), row, withoutCalls(ctx.now));
    return held.length === AT_ONCE;
  },
};

/** A conversation that the AI can't go on with is a person's; a visitor who waits is told so, in the same commit. */
export async function release(
  ctx: Context,
  about: ConversationWithPeople,
  row: AiSettingsRow,
  log: TurnLog,
): Promise<void> {
  const { conversation, contact } = about;
  ctx.write(deleteTurn, { team_id: ctx.teamId, conversation_id: conversation.id });
  if (conversation.speaker !== ("ai" satisfies Speaker)) return;
  if (conversation.waiting_since === null || contact.blocked_at !== null) {
    changeSpeaker(ctx, about, { name: "taken-over" }, "switched-off");
    return;
  }
  const runId = ctx.newId();
  const requestedBy = { automation: { id: row.ai_id, name: row.name } };
  const tokens = log.tokensIn + log.tokensOut;
  const message = await handOver(ctx, about, { row, reason: "switched-off", runId, requestedBy, tokens });
  const ended = { outcome: "handed-over", reason: "switched-off" } as const;
  logRun(ctx, conversation, { id: runId, ...ended, row, messageId: message.id, sources: [], log });
}
