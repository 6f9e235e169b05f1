import { foldText } from "@frontdesk/core/domain/folded-text";
import { type PageRequest, pageOffset } from "@frontdesk/core/domain/page";
import type { Context, Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { findConversation } from "./find-conversation.ts";
import { type ListedMessageRow, messagePage, messageSearchPage, messageSearchTotal } from "./message-store.ts";

/**
 * The messages of a conversation, newest first, system lines left out; with `search` those whose content holds it,
 * whatever the case (decision 2). Specification: GET /conversations/{conversation_id}/messages.
 */
export const listMessages: Operation<
  PageRequest & { conversationId: string; search: string | undefined },
  Listed<ListedMessageRow>
> = {
  name: "list-messages",
  mode: "read",
  async run(ctx, { conversationId, search, ...page }) {
    const conversation = await findConversation(ctx, conversationId);
    const needle = foldText((search ?? "").trim());
    return needle === "" ? everyMessage(ctx, conversation, page) : matching(ctx, conversation, page, needle);
  },
};

async function everyMessage(ctx: Context, conversation: ConversationRow, page: PageRequest) {
  const offset = pageOffset(page);
  // Without system lines sort numbers and list positions are the same, and a deep page is found by its number.
  const byNumber = conversation.message_count === conversation.last_sort_number;
  const rows = await ctx.db.all(messagePage, {
    team_id: ctx.teamId,
    conversation_id: conversation.id,
    from: conversation.last_sort_number - (byNumber ? offset : 0),
    limit: page.limit,
    offset: byNumber ? 0 : offset,
  });
  return { rows, total: conversation.message_count };
}

async function matching(ctx: Context, conversation: ConversationRow, page: PageRequest, needle: string) {
  const params = { team_id: ctx.teamId, conversation_id: conversation.id, needle };
  const [counted, rows] = await Promise.all([
    ctx.db.first(messageSearchTotal, params),
    ctx.db.all(messageSearchPage, { ...params, ...pageWindow(page) }),
  ]);
  return { rows, total: counted?.total ?? 0 };
}
