import { foldSearch, foldText } from "@frontdesk/core/domain/folded-text";
import { visibilityOf } from "../access/visibility-store.ts";
import { isIndexed } from "../contacts/contact-search.ts";
import type { Context, Operation } from "../context.ts";
import { contactMatch, contactTerms } from "../storage/dialect.ts";
import { type ConversationWithContact, conversationsOf } from "./browse-conversations.ts";
import { type Cursor, endingBefore } from "./conversation-browse-store.ts";
import { type ConversationSearch, conversationsOfContactsHolding, searchedPiece } from "./conversation-search-store.ts";

/**
 * The visible conversations that contain `query` (folded) in their contact's name or e-mail or in a message, notes included and
 * system lines not; newest activity first. White space alone is no filter.
 *
 * They are searched one after another, until `limit` are found or `MESSAGES_SEARCHED` messages are read. Older ones are found
 * by their contact alone (docs/decisions/0018-assistants-read-conversations.md). Specification: the tool search-conversations;
 * decision 59.
 */
export const searchConversations: Operation<{ query: string; limit: number }, ConversationWithContact[]> = {
  name: "search-conversations",
  mode: "read",
  oneAtATime: () => true,
  async run(ctx, { query, limit }) {
    return conversationsOf(ctx, await idsOfConversationsHolding(ctx, { query, limit, most: MESSAGES_SEARCHED }));
  },
};

/**
 * Their ids, newest activity first.
 *
 * @param most how many messages are read at most
 */
export async function idsOfConversationsHolding(
  ctx: Context,
  { query, limit, most }: { query: string; limit: number; most: number },
): Promise<string[]> {
  const text = query.trim();
  const search: ConversationSearch = { contact_needle: foldSearch(text), message_needle: foldText(text) };
  const { found, everything } = await lookInto(ctx, search, limit, most);
  const older = everything || found.length >= limit ? [] : await olderByContact(ctx, search.contact_needle, limit);
  // All of them are in one order, and those that were searched are its beginning.
  return [...new Set([...found, ...older])].slice(0, limit);
}

/** The conversations with the newest activity that together have this many messages are searched. */
export const MESSAGES_SEARCHED = 100_000;
/** About this many messages at a time, so that other requests are answered in between. */
const MESSAGES_AT_ONCE = 2_000;
/** At most this many contacts that contain a text are found by their index. */
const CONTACTS_LOOKED_UP = 10_000;
const CONVERSATIONS_AT_FIRST = 50;
const CONVERSATIONS_AT_ONCE = 500;

/** `everything`: whether all conversations were searched. */
async function lookInto(
  ctx: Context,
  search: ConversationSearch,
  limit: number,
  most: number,
): Promise<{ found: string[]; everything: boolean }> {
  const among = { team_id: ctx.teamId, ...visibilityOf(ctx.actor), ...search, offset: 0 };
  const found: string[] = [];
  let cursor: Cursor = endingBefore(Number.MAX_SAFE_INTEGER);
  let size = CONVERSATIONS_AT_FIRST;
  let messages = 0;
  while (found.length < limit && messages < most) {
    const piece = await ctx.db.all(searchedPiece, { ...among, ...cursor, limit: size, reach: size });
    for (const row of piece) {
      if (row.is_found) found.push(row.id);
      // A conversation costs something even without messages.
      messages += Math.max(1, row.last_sort_number);
    }
    const last = piece.at(-1);
    if (!last || piece.length < size) return { found, everything: true };
    cursor = { before: last.last_message_at, before_id: last.id };
    size = sizeOfNext(piece);
  }
  return { found, everything: false };
}

/** As many conversations as have about `MESSAGES_AT_ONCE` messages, if they are like the last ones. */
function sizeOfNext(piece: readonly { last_sort_number: number }[]): number {
  const messages = piece.reduce((sum, { last_sort_number }) => sum + last_sort_number, 0);
  const size = Math.round((MESSAGES_AT_ONCE * piece.length) / Math.max(1, messages));
  return Math.min(CONVERSATIONS_AT_ONCE, Math.max(1, size));
}

/** Texts shorter than the index supports are searched among the newest alone. */
async function olderByContact(ctx: Context, needle: string, limit: number): Promise<string[]> {
  if (!isIndexed(needle)) return [];
  const found = await ctx.db.all(conversationsOfContactsHolding, {
    team_id: ctx.teamId,
    ...visibilityOf(ctx.actor),
    needle,
    needle_terms: contactTerms(ctx.teamId, "search_text", needle),
    match: contactMatch(ctx.teamId, needle, null),
    most: CONTACTS_LOOKED_UP,
    limit,
  });
  return found.map(({ id }) => id);
}
