import type { DraftReturnedBy } from "@frontdesk/core/domain/draft";
import type { Operation } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import type { DraftRow } from "../storage/tables.ts";
import { deleteDraft, draftsOfAgent, putDraft } from "./draft-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";

/** A reply and a note have separate drafts. */
export type DraftMode = "reply" | "note";

/**
 * Stores the agent's draft in a conversation; it replaces the one before. Sending it deletes it, in the same commit
 * (`send-from-inbox.ts`). `returnedBy`: what has made a held reply a draft again, which the agent is still shown.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const keepDraft: Operation<
  { conversationId: string; mode: DraftMode; content: string; returnedBy?: DraftReturnedBy | null | undefined },
  DraftRow
> = {
  name: "keep-draft",
  mode: "write",
  async run(ctx, { conversationId, mode, content, returnedBy = null }) {
    const { id } = await findConversation(ctx, conversationId);
    const agentId = inboxAgentId(ctx);
    const of = { team_id: ctx.teamId, agent_id: agentId, conversation_id: id };
    const draft: DraftRow = { ...of, mode, content, updated_at: ctx.now, returned_by: returnedBy };
    ctx.write(putDraft, draft);
    return draft;
  },
};

/**
 * Deletes the agent's draft. Without one, nothing changes.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const dropDraft: Operation<{ conversationId: string; mode: DraftMode }, void> = {
  name: "drop-draft",
  mode: "write",
  async run(ctx, { conversationId, mode }) {
    const { id } = await findConversation(ctx, conversationId);
    ctx.write(deleteDraft, { team_id: ctx.teamId, agent_id: inboxAgentId(ctx), conversation_id: id, mode });
  },
};

/** More drafts than an agent has. */
const MOST = 200;

/** All drafts of the agent, latest first. */
export const listDrafts: Operation<Record<never, never>, DraftRow[]> = {
  name: "list-drafts",
  mode: "read",
  run: (ctx) => ctx.db.all(draftsOfAgent, { team_id: ctx.teamId, agent_id: inboxAgentId(ctx), limit: MOST }),
};
