import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { asksForHuman } from "@frontdesk/core/domain/ai/asks-for-human";
import type { Context } from "../../context.ts";
import type { CommittedEvent } from "../../followers.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { lastVisitorMessage, putTurn } from "./turn-store.ts";

/** How long after the visitor's last message a turn begins: what they write in one go is one question. */
export const PAUSE_MS = 1_200;
/** The longest from the first message to the beginning of the turn. */
export const LATEST_MS = 6_000;

/** A visitor's message in a conversation in which the AI speaks: its turn is due, in the commit of the message itself. */
export function queueTurn(ctx: Context, { facts }: CommittedEvent): undefined {
  if (facts.name !== "message.received" || facts.conversation.speaker !== ("ai" satisfies Speaker)) return;
  // Who asks for a person is not kept waiting.
  const pause = asksForHuman(facts.message.content ?? "") ? 0 : PAUSE_MS;
  putTurnOf(ctx, facts.conversation, facts.message.sort_number, ctx.now + pause);
}

/** The AI has been given a conversation: it answers at once what waits, if anything does. */
export async function queueWaiting(ctx: Context, conversation: ConversationRow): Promise<void> {
  if (conversation.waiting_since === null) return;
  const key = { team_id: ctx.teamId, conversation_id: conversation.id };
  const last = await ctx.db.first(lastVisitorMessage, key);
  if (last) putTurnOf(ctx, conversation, last.sort_number, ctx.now);
}

function putTurnOf(ctx: Context, { id, contact_id }: ConversationRow, upto: number, dueAt: number): void {
  ctx.write(putTurn, {
    ...{ team_id: ctx.teamId, conversation_id: id, contact_id, first_at: ctx.now, due_at: dueAt, upto },
    ...{ claim: null, lease_until: null, attempts: 0, latest: LATEST_MS },
  });
  ctx.turnDue(dueAt, id);
}
