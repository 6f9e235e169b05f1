import type { ToolConversation } from "@frontdesk/core/contract/tool-resources";
import { getConversation, listConversations, searchConversations } from "@frontdesk/core/contract/tools/conversations";
import { type BrowsedConversation, browseConversations } from "../conversations/browse-conversations.ts";
import { openConversation } from "../conversations/open-conversation.ts";
import { searchConversations as searchOperation } from "../conversations/search-conversations.ts";
import { fits, fitting } from "./fitting.ts";
import { inBrief } from "./in-brief.ts";
import {
  presentFoundConversation,
  presentToolConversation,
  presentWholeToolConversation,
} from "./present-tool-conversation.ts";
import { serve } from "./served-tool.ts";

/** What a list shows of a last message: some 500 letters. */
const PREVIEW_TOKENS = 170;

export const conversationTools = [
  serve(
    listConversations,
    browseConversations,
    ({ status, page, per_page }) => ({ status, page, limit: per_page }),
    ({ rows, hasMore }, { page, per_page }) => ({
      conversations: listed(rows),
      pagination: { page, per_page, has_more: hasMore, next_page: hasMore ? page + 1 : null },
    }),
  ),
  serve(
    getConversation,
    openConversation,
    ({ conversation_id }) => ({ conversationId: conversation_id }),
    (opened) => ({ conversation: presentWholeToolConversation(opened) }),
  ),
  serve(
    searchConversations,
    searchOperation,
    ({ query, limit }) => ({ query, limit }),
    (found) => ({ conversations: fitting(found.map(presentFoundConversation)) }),
  ),
];

/** A page cannot be cut short, since pages go by number: where it does not fit, less is shown of each row. */
function listed(rows: readonly BrowsedConversation[]): ToolConversation[] {
  const conversations = rows.map((row) => presentToolConversation(row, PREVIEW_TOKENS));
  return fits(conversations) ? conversations : inBrief(conversations);
}
