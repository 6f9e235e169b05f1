import type { AiRunReason, Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context } from "../../context.ts";
import type { ConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { AiSettingsRow, AiTurnRow } from "../../storage/tables.ts";
import { logRun } from "../runs/log-run.ts";
import { changeSpeaker } from "../speaker/change-speaker.ts";
import { release } from "./release.ts";
import type { EndedTurn, TurnLog } from "./turn.ts";
import { deleteTurn, freeTurn } from "./turn-store.ts";

/** Why the AI may not act in a conversation at this moment; undefined when it may. */
export function whyDropped({
  about: { conversation, contact },
  turn,
  claim,
  row,
  isNewer,
}: {
  about: ConversationWithPeople;
  turn: AiTurnRow | undefined;
  claim: string;
  row: AiSettingsRow | undefined;
  isNewer: boolean;
}): AiRunReason | undefined {
  if (conversation.is_resolved === 1) return "conversation-resolved";
  if (conversation.speaker !== ("ai" satisfies Speaker)) return "human-speaks";
  if (contact.blocked_at !== null) return "blocked";
  if (row?.is_active !== 1) return "switched-off";
  if (turn?.claim !== claim) return "lost-claim";
  return isNewer ? "newer-message" : undefined;
}

/**
 * Ends a turn without an answer, and logs it. Where the AI was switched off its visitor still waits: they are told that a person
 * answers.
 */
export async function drop(
  ctx: Context,
  about: ConversationWithPeople,
  {
    turn,
    row,
    reason,
    log,
  }: { turn: AiTurnRow | undefined; row: AiSettingsRow | undefined; reason: AiRunReason; log: TurnLog },
): Promise<EndedTurn> {
  const key = { team_id: ctx.teamId, conversation_id: about.conversation.id };
  if (reason === "switched-off" && row) {
    await release(ctx, about, row, log);
    return { outcome: "handed-over", reason };
  }
  if (reason === "newer-message" && turn) {
    ctx.write(freeTurn, { ...key, attempts: 0 });
    ctx.turnDue(turn.due_at);
  } else if (reason !== "lost-claim") ctx.write(deleteTurn, key);
  // Unblocked, their message still waits, and nothing but a person would see it.
  if (reason === "blocked") changeSpeaker(ctx, about, { name: "taken-over" }, reason);
  const ended = { outcome: "dropped", reason } as const;
  // What has taken its claim away may have been that a message it has read was redacted.
  const kept = reason === "lost-claim" ? { ...log, calls: [], searches: [] } : log;
  logRun(ctx, about.conversation, { id: ctx.newId(), ...ended, row, messageId: null, sources: [], log: kept });
  return ended;
}
