import type { AiActor } from "../../access/actor.ts";
import type { Operation } from "../../context.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import { withoutCalls } from "../runs/log-run.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { aiActor } from "../speaker/ai-at-work.ts";
import { drop, whyDropped } from "./drop-turn.ts";
import type { EndedTurn } from "./turn.ts";
import { turnOf } from "./turn-store.ts";

/** `agentId`: the AI's, whose typing ends; null when another process shows it, or there is none. */
export type DroppedTurn = EndedTurn & { agentId: string | null };

/**
 * The beginning of a turn: whether the AI still speaks. A turn that is over before it has begun is dropped at once.
 *
 * @throws Refusal `not-found` for a conversation that is erased
 */
export const openTurn: Operation<{ conversationId: string; claim: string }, { actor: AiActor } | DroppedTurn> = {
  name: "open-ai-turn",
  mode: "write",
  async run(ctx, { conversationId, claim }) {
    const [about, turn, row] = await Promise.all([
      findConversationWithPeople(ctx, conversationId),
      ctx.db.first(turnOf, { team_id: ctx.teamId, conversation_id: conversationId }),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
    ]);
    const reason = whyDropped({ about, turn, claim, row, isNewer: false });
    if (!reason && row) return { actor: aiActor(row) };
    const ended = await drop(ctx, about, { turn, row, reason: reason ?? "switched-off", log: withoutCalls(ctx.now) });
    return { ...ended, agentId: reason === "lost-claim" ? null : (row?.agent_id ?? null) };
  },
};
