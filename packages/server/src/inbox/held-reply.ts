import { type DraftReturnedBy, draftWithUnsent } from "@frontdesk/core/domain/draft";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import type { Forward } from "../email/out/forward-mail.ts";
import type { ConversationRow, HeldReplyRow } from "../storage/tables.ts";
import { draftsOfAgentIn, putDraft } from "./draft-store.ts";
import {
  deleteHeldReply,
  type HeldState,
  heldRepliesIn,
  heldReplyByClientId,
  putHeldReply,
} from "./held-reply-store.ts";
import type { InboxMessage } from "./send-from-inbox.ts";

/**
 * The agent's held reply with this id, or what is left of it.
 *
 * @throws Refusal `invalid` on `client_id` for another agent's, or one of another conversation
 */
export async function heldReply(
  ctx: Context,
  { id: conversationId }: Pick<ConversationRow, "id">,
  agentId: string,
  clientId: string,
): Promise<HeldReplyRow | undefined> {
  const row = await ctx.db.first(heldReplyByClientId, { team_id: ctx.teamId, client_id: clientId });
  if (row && (row.agent_id !== agentId || row.conversation_id !== conversationId)) {
    throw invalid({ client_id: "message-id-taken" });
  }
  return row;
}

/** It is sent, or refused, in this commit: nothing is held any more. */
export function endHold(ctx: Context, { team_id, client_id }: HeldReplyRow): void {
  ctx.write(deleteHeldReply, { team_id, client_id });
  ctx.cancelTimer("send-held-reply", client_id);
}

/**
 * It is not sent: its text is the agent's draft again, and a later request with its id does nothing. What was written with a forward is
 * for another person than the contact, so it is the draft of a note.
 */
export async function returnToDraft(ctx: Context, row: HeldReplyRow, state: Exclude<HeldState, "held">): Promise<void> {
  const forward = heldForward(row);
  const { content } = forward ?? heldInput(row);
  const mode = forward ? "note" : "reply";
  const of = { team_id: ctx.teamId, agent_id: row.agent_id, conversation_id: row.conversation_id };
  const drafts = await ctx.db.all(draftsOfAgentIn, of);
  const begun = drafts.find((one) => one.mode === mode)?.content ?? "";
  const draft = draftWithUnsent(content, begun);
  const returned_by = state === "returned-by-email" ? ("email" satisfies DraftReturnedBy) : null;
  if (draft !== begun || (returned_by && draft !== "")) {
    ctx.write(putDraft, { ...of, mode, content: draft, updated_at: ctx.now, returned_by });
  }
  ctx.write(putHeldReply, { ...row, state, reply: null });
  ctx.cancelTimer("send-held-reply", row.client_id);
}

/**
 * An email has come in: the replies that agents hold in its conversation were written without it, and are their drafts again. A forward
 * is for another person, and is sent all the same.
 */
export async function returnHeldReplies(ctx: Context, conversation_id: string): Promise<void> {
  // Each comes before what is a draft by then: the first one that was written ends up first.
  for (const row of await ctx.db.all(heldRepliesIn, { team_id: ctx.teamId, conversation_id })) {
    if (!heldForward(row)) await returnToDraft(ctx, row, "returned-by-email");
  }
}

/** What is sent when the time to undo is over. */
export function heldInput({ client_id, reply }: HeldReplyRow): InboxMessage {
  if (reply === null) throw new Error(`The reply ${client_id} is not held any more.`);
  return JSON.parse(reply);
}

/** The forward that is held; undefined for a reply. */
export function heldForward({ reply }: Pick<HeldReplyRow, "reply">): Forward | undefined {
  return reply === null ? undefined : (JSON.parse(reply) as { forward?: Forward }).forward;
}
