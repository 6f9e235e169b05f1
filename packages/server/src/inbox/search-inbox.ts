import { parseSearch, type SearchQuery } from "@frontdesk/core/domain/search-query";
import { distinctWords, searchable, searchText } from "@frontdesk/core/domain/search-text";
import { stemOf } from "@frontdesk/core/domain/word-forms";
import { type ContactNeedle, contactNeedle, firstOfSearch } from "../contacts/contact-search.ts";
import type { Context, Operation } from "../context.ts";
import { newestHolding, newestResembling } from "../conversations/conversation-search-store.ts";
import { type ConversationView, conversationViews } from "../conversations/conversation-view.ts";
import type { WholeMessageRow } from "../conversations/message-store.ts";
import {
  type ConversationNeedle,
  forgivenWords,
  idsOfConversationsHolding,
  noFilter,
} from "../conversations/search-conversations.ts";
import { listParam } from "../storage/dialect.ts";
import type { ContactRow } from "../storage/tables.ts";
import { type SearchFilters, searchFilters } from "./search-filters.ts";

export interface InboxFound {
  people: ContactRow[];
  /** Found by their contact's name or e-mail, by their subject, or by operators alone. */
  conversations: ConversationView[];
  /** The newest message that contains what is looked for, of conversations found by a message. */
  messages: { message: WholeMessageRow; conversation: ConversationView }[];
  /** Whether nothing contains what was typed, and one typo in a word was forgiven. */
  forgiving: boolean;
  /** Operators that find nothing, since their value is not known. */
  unknown: SearchQuery["operators"];
}

/** The search runs while an agent types: this many of the newest messages are read, a fifth of a search by an assistant. */
const MESSAGES_LOOKED_AT = 20_000;
/** So many where nothing is found as it was typed, and one typo is forgiven: each message costs more. */
const MESSAGES_FORGIVEN = 5_000;

/**
 * The search of the inbox, as the agent types: contacts, conversations and messages that contain all words of `query`, and that
 * its operators let pass (`domain/search-query.ts`); `limit` of each, newest activity first. An empty query finds nothing.
 */
export const searchInbox: Operation<{ query: string; timeZone?: string | undefined; limit: number }, InboxFound> = {
  name: "search-inbox",
  mode: "read",
  oneAtATime: () => true,
  async run(ctx, { query, timeZone, limit }) {
    const asked = parseSearch(query);
    const filters = await searchFilters(ctx, asked, timeZone);
    const { filter, unknown } = filters;
    const nothing: InboxFound = { people: [], conversations: [], messages: [], forgiving: false, unknown };
    if (unknown.length > 0 || (asked.words.length === 0 && !filter)) return nothing;

    const needle = contactsOf(asked, filters);
    const people = needle ? await firstOfSearch(ctx, needle, limit) : [];
    const words = asked.words;
    const exactly = await inConversations(ctx, { words, filter, limit: 2 * limit, most: MESSAGES_LOOKED_AT });
    const isNothing = people.length === 0 && exactly.length === 0 && words.length > 0;
    const found = isNothing
      ? await inConversations(ctx, { words, filter, forgiving: true, limit, most: MESSAGES_FORGIVEN })
      : exactly;
    return {
      people,
      conversations: found.flatMap(({ view, message }) => (message ? [] : [view])).slice(0, limit),
      messages: found
        .flatMap(({ view, message }) => (message ? [{ message, conversation: view }] : []))
        .slice(0, limit),
      forgiving: isNothing && found.length > 0,
      unknown,
    };
  },
};

/** What is looked for in contacts; nothing when an operator asks for something that only conversations have. */
function contactsOf({ text, words }: SearchQuery, { from, ofConversations }: SearchFilters): ContactNeedle | undefined {
  if (ofConversations) return undefined;
  const all = distinctWords([...words, ...from]);
  const whole = from.length === 0 ? contactNeedle(text) : undefined;
  if (whole && (whole.digits !== null || whole.id !== null)) return whole;
  return all.length === 0 ? undefined : { words: all, digits: null, id: null };
}

interface FoundConversation {
  view: ConversationView;
  message: WholeMessageRow | undefined;
}

async function inConversations(ctx: Context, needle: ConversationNeedle): Promise<FoundConversation[]> {
  const ids = await idsOfConversationsHolding(ctx, needle);
  const views = await conversationViews(ctx, ids);
  return Promise.all(
    ids
      .flatMap((id) => views.get(id) ?? [])
      .map(async (view) => ({ view, message: await messageOf(ctx, view, needle) })),
  );
}

/**
 * The newest message that contains all words, else those that neither the contact nor the subject contains, else the first of
 * these that a message has: words of one search may stand in several messages.
 */
async function messageOf(ctx: Context, view: ConversationView, needle: ConversationNeedle) {
  const { words, filter = noFilter, forgiving } = needle;
  if (words.length === 0) return undefined;
  const inContact = searchText(view.contact.name, view.contact.email);
  const inSubject = searchable(view.conversation.email_subject ?? "");
  const missing = words.filter((word) => !inContact.includes(word) && !inSubject.includes(stemOf(word)));
  const within = {
    team_id: ctx.teamId,
    conversation_id: view.conversation.id,
    since: filter.since,
    until: filter.until,
  };
  for (const some of [words, missing, ...missing.map((word) => [word])]) {
    if (some.length === 0) continue;
    const message = forgiving
      ? await ctx.db.first(newestResembling, { ...within, forgiven_words: forgivenWords(some) })
      : await ctx.db.first(newestHolding, { ...within, words: listParam(some.map(stemOf)) });
    if (message) return message;
  }
  return undefined;
}
