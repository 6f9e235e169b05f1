import { distinctWords, searchWords } from "@frontdesk/core/domain/search-text";
import { stemOf, typoForms } from "@frontdesk/core/domain/word-forms";
import { visibilityOf } from "../access/visibility-store.ts";
import { isIndexed } from "../contacts/contact-search.ts";
import type { Context, Operation } from "../context.ts";
import { contactMatch, contactTerms, listParam, rowsParam } from "../storage/dialect.ts";
import { type ConversationWithContact, conversationsOf } from "./browse-conversations.ts";
import { type Cursor, endingBefore } from "./conversation-browse-store.ts";
import {
  conversationsOfContactsHolding,
  type ForgivenWord,
  filteredForgivingPiece,
  filteredOfContactsHolding,
  filteredPiece,
  forgivingPiece,
  type SearchedRow,
  type SearchedWord,
  type SearchFilter,
  searchedPiece,
} from "./conversation-search-store.ts";

/**
 * The visible conversations that contain all words of `query`, each in their contact's name or e-mail, in their subject or in a
 * message, notes included and system lines not; newest activity first. A query of which nothing is left to compare is no filter.
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
    const words = searchWords(query);
    return conversationsOf(ctx, await idsOfConversationsHolding(ctx, { words, limit, most: MESSAGES_SEARCHED }));
  },
};

/** What is looked for in conversations. */
export interface ConversationNeedle {
  /** Folded; none finds every conversation that passes the filter. */
  words: readonly string[];
  filter?: SearchFilter | undefined;
  /** Whether one typo in each word is forgiven. */
  forgiving?: boolean;
  limit: number;
  /** How many messages are read at most. */
  most: number;
}

/** Lets every conversation pass. */
export const noFilter: SearchFilter = {
  tag_ids: "[]",
  status: "",
  from_words: "[]",
  since: 0,
  until: Number.MAX_SAFE_INTEGER,
};

/** Their ids, newest activity first. */
export async function idsOfConversationsHolding(ctx: Context, needle: ConversationNeedle): Promise<string[]> {
  const { found, everything } = await lookInto(ctx, needle);
  const older = everything || needle.forgiving || found.length >= needle.limit ? [] : await olderByContact(ctx, needle);
  // All of them are in one order, and those that were searched are its beginning.
  return [...new Set([...found, ...older])].slice(0, needle.limit);
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
async function lookInto(ctx: Context, needle: ConversationNeedle): Promise<{ found: string[]; everything: boolean }> {
  const { filter = noFilter, limit, most } = needle;
  const pieceAt = piecesOf(ctx, needle);
  const found: string[] = [];
  let cursor: Cursor = endingBefore(Number.MAX_SAFE_INTEGER);
  let size = CONVERSATIONS_AT_FIRST;
  let messages = 0;
  while (found.length < limit && messages < most) {
    const piece = await pieceAt(cursor, size);
    for (const row of piece) {
      if (row.is_found) found.push(row.id);
      messages += costOf(row);
    }
    const last = piece.at(-1);
    if (!last || piece.length < size || last.last_message_at < filter.since) return { found, everything: true };
    cursor = { before: last.last_message_at, before_id: last.id };
    size = sizeOfNext(piece);
  }
  return { found, everything: false };
}

/** Reads the conversations behind a cursor, by the statement that does the least for what is looked for. */
function piecesOf(
  ctx: Context,
  { words, filter, forgiving }: ConversationNeedle,
): (cursor: Cursor, size: number) => Promise<SearchedRow[]> {
  const among = { team_id: ctx.teamId, ...visibilityOf(ctx.actor), offset: 0 };
  if (forgiving) {
    const forgiven_words = forgivenWords(words);
    return (cursor, size) => {
      const piece = { ...among, forgiven_words, ...cursor, limit: size, reach: size };
      return filter ? ctx.db.all(filteredForgivingPiece, { ...piece, ...filter }) : ctx.db.all(forgivingPiece, piece);
    };
  }
  const [first = "", ...others] = words;
  const search = {
    contact_needle: first,
    message_needle: stemOf(first),
    searched_words: rowsParam(others.map((word): SearchedWord => ({ word, stem: stemOf(word) }))),
  };
  return (cursor, size) => {
    const piece = { ...among, ...search, ...cursor, limit: size, reach: size };
    return filter ? ctx.db.all(filteredPiece, { ...piece, ...filter }) : ctx.db.all(searchedPiece, piece);
  };
}

/** Words in which one typo is forgiven; one that takes none is contained as it is. */
export function forgivenWords(words: readonly string[]): string {
  return rowsParam(
    words.map(stemOf).map((stem): ForgivenWord => {
      const { pieces, patterns } = typoForms(stem) ?? { pieces: [stem, stem, stem], patterns: [""] };
      const [piece, other_piece, third_piece] = pieces;
      return { piece, other_piece, third_piece, patterns: listParam(patterns) };
    }),
  );
}

/** A conversation costs something even when no message was read. */
const costOf = ({ searched_messages }: SearchedRow): number => Math.max(1, searched_messages);

/** As many conversations as have about `MESSAGES_AT_ONCE` messages, if they are like the last ones. */
function sizeOfNext(piece: readonly SearchedRow[]): number {
  const messages = piece.reduce((sum, row) => sum + row.searched_messages, 0);
  const size = Math.round((MESSAGES_AT_ONCE * piece.length) / Math.max(1, messages));
  return Math.min(CONVERSATIONS_AT_ONCE, Math.max(1, size));
}

/** By the contacts that hold all the words. Words shorter than the index supports are searched among the newest alone. */
async function olderByContact(ctx: Context, { words, filter, limit }: ConversationNeedle): Promise<string[]> {
  const all = distinctWords([...words, ...(filter ? (JSON.parse(filter.from_words) as string[]) : [])]);
  const [needle = "", ...others] = all;
  if (!isIndexed(needle)) return [];
  const known = all.filter(isIndexed);
  const search = {
    team_id: ctx.teamId,
    ...visibilityOf(ctx.actor),
    needle,
    others: listParam(others),
    needle_terms: contactTerms(ctx.teamId, "search_text", known),
    match: contactMatch(ctx.teamId, known, null),
    most: CONTACTS_LOOKED_UP,
    limit,
  };
  const found = filter
    ? ctx.db.all(filteredOfContactsHolding, { ...search, ...filter })
    : ctx.db.all(conversationsOfContactsHolding, search);
  return (await found).map(({ id }) => id);
}
