import { traitsOf } from "@frontdesk/core/domain/channel";
import { firstPageVisit } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { changeList } from "./conversation-lists.ts";
import { nextEpisode } from "./episodes.ts";
import type { ConversationWithPeople } from "./find-conversation.ts";
import { type Start, startConversation } from "./start-conversation.ts";

/**
 * The conversation that a known contact's message joins: `latest`, the most recent one in the account, reopened when it was
 * resolved; else a first one. Specification: "States and transitions", POST /conversations.
 */
export async function conversationToJoin(
  ctx: Context,
  { latest, ...start }: Start & { latest: ConversationRow | undefined },
): Promise<ConversationWithPeople> {
  const { account, contact } = start;
  if (latest) return openAgain(ctx, { conversation: latest, contact, widget: account.homeWidget });
  return startConversation(ctx, { ...start, firstPageUrl: start.firstPageUrl ?? (await firstPageOf(ctx, start)) });
}

function openAgain(ctx: Context, found: ConversationWithPeople): ConversationWithPeople {
  const { conversation: before, contact, widget } = found;
  if (!before.is_resolved) return found;
  const opened = { is_resolved: 0, resolved_at: null, resolved_by: null, reopened_at: ctx.now };
  const conversation = { ...before, ...opened, ...nextEpisode(before) };
  changeList(ctx, before, conversation);
  ctx.record({
    name: "conversation.reopened",
    conversation,
    contact,
    widget,
    reopenedBy: { visitor: { id: contact.id } },
  });
  return { conversation, contact, widget };
}

/** A contact that was initialized on a page begins its first conversation from there. */
async function firstPageOf(ctx: Context, { account, contact }: Start): Promise<string | null> {
  if (!traitsOf(account.channel).byWidget) return null;
  const visit = await ctx.db.first(firstPageVisit, { team_id: ctx.teamId, contact_id: contact.id });
  return visit?.page ?? null;
}
