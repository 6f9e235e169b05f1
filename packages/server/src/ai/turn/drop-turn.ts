import type { AiRunReason, Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context } from "../../context.ts";
import type { ConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { AiSettingsRow, AiTurnRow } from "../../storage/tables.ts";
import { changeSpeaker } from "../speaker/change-speaker.ts";
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

/** Ends a turn without a word. A conversation that the AI leaves is the team's, and never without anyone. */
export function drop(
  ctx: Context,
  about: ConversationWithPeople,
  turn: AiTurnRow | undefined,
  reason: AiRunReason,
): void {
  if (reason === "lost-claim") return;
  const key = { team_id: ctx.teamId, conversation_id: about.conversation.id };
  if (reason === "newer-message" && turn) {
    ctx.write(freeTurn, { ...key, attempts: 0 });
    ctx.turnDue(turn.due_at);
    return;
  }
  ctx.write(deleteTurn, key);
  if (reason === "switched-off") changeSpeaker(ctx, about, { name: "taken-over" });
}
