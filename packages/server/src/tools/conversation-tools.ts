import type { ToolConversation } from "@frontdesk/core/contract/tool-resources";
import { getConversation, listConversations, searchConversations } from "@frontdesk/core/contract/tools/conversations";
import { type BrowsedConversation, browseConversations } from "../conversations/browse-conversations.ts";
import { openConversation } from "../conversations/open-conversation.ts";
import { searchConversations as searchOperation } from "../conversations/search-conversations.ts";
import { fitting, RESULT_TOKENS_MAX, tokensOf } from "./fitting.ts";
import {
  presentFoundConversation,
  presentToolConversation,
  presentWholeToolConversation,
} from "./present-tool-conversation.ts";
import { serve } from "./served-tool.ts";

/** What a list shows of a last message. */
const PREVIEW_BYTES = 500;
/** Bytes in a token, when it has few of them. */
const BYTES_IN_TOKEN = 2;
/** The last message, the contact's name and the page's address. */
const TEXTS = 3;
/** What is shown of a name in any case, so that one knows whom a row is about. */
const NAME_BYTES_LEAST = 16;

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

/**
 * A page cannot be cut short, since pages go by number: where it does not fit, less is shown of each of its texts. The ids
 * and times of 100 conversations alone are nearly all that fits: of such a page's messages and addresses it is only told
 * that they are there.
 */
function listed(rows: readonly BrowsedConversation[]): ToolConversation[] {
  const usual = rows.map((row) => presentToolConversation(row, { lastMessage: PREVIEW_BYTES }));
  if (tokensOf(usual) <= RESULT_TOKENS_MAX) return usual;

  const bare = rows.map((row) => presentToolConversation(row, { lastMessage: 0, name: 0, url: 0 }));
  const left = ((RESULT_TOKENS_MAX - tokensOf(bare)) * BYTES_IN_TOKEN) / rows.length;
  const share = Math.max(0, Math.floor(left / TEXTS));
  const shown = {
    lastMessage: Math.min(share, PREVIEW_BYTES),
    name: Math.max(share, NAME_BYTES_LEAST),
    url: share,
  };
  return rows.map((row) => presentToolConversation(row, shown));
}
