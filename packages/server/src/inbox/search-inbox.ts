import { foldText } from "@frontdesk/core/domain/folded-text";
import { firstOfSearch, foldContactSearch } from "../contacts/contact-search.ts";
import type { Operation } from "../context.ts";
import { type ConversationView, conversationViews } from "../conversations/conversation-view.ts";
import type { WholeMessageRow } from "../conversations/message-store.ts";
import { idsOfConversationsHolding } from "../conversations/search-conversations.ts";
import { listParam } from "../storage/dialect.ts";
import type { ContactRow } from "../storage/tables.ts";
import { newestHolding } from "./thread-store.ts";

export interface InboxFound {
  people: ContactRow[];
  /** Found by their contact's name or e-mail. */
  conversations: ConversationView[];
  /** The newest message that contains it, of conversations found by a message. */
  messages: { message: WholeMessageRow; conversation: ConversationView }[];
}

/** The search runs while an agent types: this many of the newest messages are read, a fifth of a search by an assistant. */
const MESSAGES_LOOKED_AT = 20_000;

/**
 * The search of the inbox, as the agent types: contacts, conversations and messages that contain `query`, `limit` of each,
 * newest activity first. An empty query finds nothing.
 */
export const searchInbox: Operation<{ query: string; limit: number }, InboxFound> = {
  name: "search-inbox",
  mode: "read",
  oneAtATime: () => true,
  async run(ctx, { query, limit }) {
    const text = query.trim();
    if (text === "") return { people: [], conversations: [], messages: [] };
    const [people, ids] = await Promise.all([
      firstOfSearch(ctx, foldContactSearch(text), limit),
      idsOfConversationsHolding(ctx, { query: text, limit: 2 * limit, most: MESSAGES_LOOKED_AT }),
    ]);
    const among = { team_id: ctx.teamId, conversation_ids: listParam(ids) };
    const [byId, held] = await Promise.all([
      conversationViews(ctx, ids),
      ctx.db.all(newestHolding, { ...among, needle: foldText(text) }),
    ]);
    const messageIn = new Map(held.map((message) => [message.conversation_id, message]));
    const found = ids.flatMap((id) => byId.get(id) ?? []);
    return {
      people,
      conversations: found.filter(({ conversation: { id } }) => !messageIn.has(id)).slice(0, limit),
      messages: found
        .flatMap((conversation) => {
          const message = messageIn.get(conversation.conversation.id);
          return message ? [{ message, conversation }] : [];
        })
        .slice(0, limit),
    };
  },
};
