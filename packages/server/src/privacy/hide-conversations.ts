import { SILENT_AFTER_MS } from "@frontdesk/core/domain/ai/ai-episode";
import { countConversations } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import { listOf } from "../conversations/conversation-lists.ts";
import { listParam } from "../storage/dialect.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { dropExports } from "./drop-exports.ts";
import {
  anonymizeAiEpisodes,
  anonymizeEpisodes,
  deleteConversations,
  deleteOpenAiEpisodes,
  deleteOpenEpisodes,
  deleteOwnReads,
  deletionsOfConversations,
  settleAiEpisodes,
  stopItemsOfConversations,
} from "./erase-rows-store.ts";
import { insertErasedConversation, lastEventNumber } from "./erasure-store.ts";

/**
 * Deletes the rows of conversations with everything that lists them, in this same commit: from then on their ids are unknown. Their
 * messages are left to `erase-piece.ts`. What is measured of them stays, under ids that lead to nothing.
 *
 * @param eventsBefore the number after the last event that there is; 0 where all events of their contact are erased
 */
export function hideConversations(
  ctx: Context,
  erasureId: string,
  conversations: readonly ConversationRow[],
  eventsBefore: number,
): void {
  if (conversations.length === 0) return;
  const some = { team_id: ctx.teamId, conversation_ids: listParam(conversations.map(({ id }) => id)) };
  ctx.write(stopItemsOfConversations, { ...some, ended_at: ctx.now });
  for (const deletion of Object.values(deletionsOfConversations)) ctx.write(deletion, some);
  ctx.write(deleteOwnReads, some);
  ctx.write(deleteOpenEpisodes, some);
  ctx.write(settleAiEpisodes, { ...some, silent_since: ctx.now - SILENT_AFTER_MS, ended_at: ctx.now });
  ctx.write(deleteOpenAiEpisodes, some);
  for (const { id, contact_id } of conversations) {
    const anonymous = { team_id: ctx.teamId, conversation_id: id, new_id: ctx.newId() };
    ctx.write(anonymizeEpisodes, anonymous);
    ctx.write(anonymizeAiEpisodes, anonymous);
    ctx.write(insertErasedConversation, {
      team_id: ctx.teamId,
      erasure_id: erasureId,
      conversation_id: id,
      contact_id,
      events_before: eventsBefore,
      texts_up_to: null,
    });
    ctx.cancelTimer("end-snooze", id);
    ctx.cancelTimer("mail-replies", id);
  }
  dropExports(
    ctx,
    conversations.map(({ contact_id }) => contact_id),
  );
  ctx.write(deleteConversations, some);
  for (const conversation of conversations) {
    ctx.write(countConversations, { team_id: ctx.teamId, id: conversation.contact_id, change: -1 });
    ctx.count("conversations", -1);
    if (!conversation.is_resolved) ctx.count("open_conversations", -1);
    ctx.moveInList(listOf(conversation), conversation.last_message_at, undefined);
  }
}

/** The number after the team's last event, as `hideConversations` needs it. */
export async function nextEventNumber(ctx: Context): Promise<number> {
  return ((await ctx.db.first(lastEventNumber, { team_id: ctx.teamId }))?.event_number ?? 0) + 1;
}
