import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Context, Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import { listStart } from "../lists/list-start.ts";
import { listParam } from "../storage/dialect.ts";
import { countersOf } from "../teams/team-counters.ts";
import { listOf } from "./conversation-lists.ts";
import {
  type AssignedAgentRow,
  assignedAgents,
  contactNames,
  conversationPage,
  type ShownConversationRow,
} from "./conversation-store.ts";
import { type ListedMessageRow, latestMessages } from "./message-store.ts";

/** Read besides the conversation only when requested (decision 11). */
export interface ConversationExtras {
  contactName: boolean;
  latestMessage: boolean;
  agents: boolean;
}

export interface ListedConversationRow {
  conversation: ShownConversationRow;
  contactName: string | null;
  latestMessage: ListedMessageRow | undefined;
  agents: AssignedAgentRow[];
}

/** The team's conversations: open ones first, then the newest message activity. Specification: GET /conversations/all. */
export const listConversations: Operation<
  PageRequest & { extras: ConversationExtras },
  Listed<ListedConversationRow>
> = {
  name: "list-conversations",
  mode: "read",
  async run(ctx, { extras, ...page }) {
    const { limit, offset } = pageWindow(page);
    // The first pages of most teams are among the open ones, so these are read in parallel with the totals.
    const [counters, open] = await Promise.all([countersOf(ctx), conversationsAt(ctx, 0, offset, limit)]);
    const resolvedOffset = Math.max(0, offset - counters.open_conversations);
    const missing = limit - open.length;
    const resolved = missing > 0 ? await conversationsAt(ctx, 1, resolvedOffset, missing) : [];
    const conversations = [...open, ...resolved];
    const [names, messages, agents] = await Promise.all([
      extras.contactName ? namesOfContacts(ctx, conversations) : new Map<string, string | null>(),
      extras.latestMessage ? latestMessageOf(ctx, conversations) : new Map<string, ListedMessageRow>(),
      extras.agents ? agentsOf(ctx, conversations) : new Map<string, AssignedAgentRow[]>(),
    ]);
    const rows = conversations.map((conversation) => ({
      conversation,
      contactName: names.get(conversation.contact_id) ?? null,
      latestMessage: messages.get(conversation.id),
      agents: agents.get(conversation.id) ?? [],
    }));
    return { rows, total: counters.conversations };
  },
};

/** `limit` conversations of one status after the `offset` newest ones. */
async function conversationsAt(
  ctx: Context,
  isResolved: 0 | 1,
  offset: number,
  limit: number,
): Promise<ShownConversationRow[]> {
  const start = await listStart(ctx, listOf({ is_resolved: isResolved }), offset);
  if (!start) return [];
  const { before, skip } = start;
  return ctx.db.all(conversationPage, { team_id: ctx.teamId, is_resolved: isResolved, before, limit, offset: skip });
}

async function namesOfContacts(ctx: Context, conversations: readonly ShownConversationRow[]) {
  const contactIds = listParam(conversations.map(({ contact_id }) => contact_id));
  const rows = await ctx.db.all(contactNames, { team_id: ctx.teamId, contact_ids: contactIds });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function latestMessageOf(ctx: Context, conversations: readonly ShownConversationRow[]) {
  const rows = await ctx.db.all(latestMessages, { team_id: ctx.teamId, conversation_ids: idsOf(conversations) });
  return new Map(rows.map((message) => [message.conversation_id, message]));
}

async function agentsOf(ctx: Context, conversations: readonly ShownConversationRow[]) {
  const rows = await ctx.db.all(assignedAgents, { team_id: ctx.teamId, conversation_ids: idsOf(conversations) });
  return Map.groupBy(rows, (agent) => agent.conversation_id);
}

const idsOf = (rows: readonly { id: string }[]) => listParam(rows.map(({ id }) => id));
