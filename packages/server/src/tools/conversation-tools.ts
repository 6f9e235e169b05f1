import { getConversation, listConversations, searchConversations } from "@frontdesk/core/contract/tools/conversations";
import { browseConversations } from "../conversations/browse-conversations.ts";
import { openConversation } from "../conversations/open-conversation.ts";
import { searchConversations as searchOperation } from "../conversations/search-conversations.ts";
import { RESULT_BYTES_MAX } from "./fitting.ts";
import {
  presentFoundConversation,
  presentToolConversation,
  presentWholeToolConversation,
} from "./present-tool-conversation.ts";
import { serve } from "./served-tool.ts";

/** What a list shows of a last message at most, and what it shows of it in any case. */
const PREVIEW_BYTES = { most: 500, least: 60 };
/** What a conversation of the list takes besides. */
const CONVERSATION_BYTES = 700;

export const conversationTools = [
  serve(
    listConversations,
    browseConversations,
    ({ status, page, per_page }) => ({ status, page, limit: per_page }),
    ({ rows, hasMore }, { page, per_page }) => ({
      conversations: rows.map((row) => presentToolConversation(row, previewBytes(rows.length))),
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
    (found) => ({ conversations: found.map(presentFoundConversation) }),
  ),
];

/** A page cannot be cut short, since pages go by number: of more conversations, less of each last message is shown. */
function previewBytes(conversations: number): number {
  const share = Math.floor(RESULT_BYTES_MAX / conversations) - CONVERSATION_BYTES;
  return Math.min(PREVIEW_BYTES.most, Math.max(PREVIEW_BYTES.least, share));
}
