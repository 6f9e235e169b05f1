import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { visitorOf } from "../access/actor.ts";
import { contactById } from "../contacts/contact-store.ts";
import type { Context, Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { ContactRow, ConversationRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { mostRecentInBrowser } from "./conversation-store.ts";
import { messagesBefore } from "./message-store.ts";

export interface Chat {
  contact: ContactRow;
  /** The latest one; undefined before the first message. */
  conversation: ConversationRow | undefined;
  /** Newest first, without notes, reminders and system lines. */
  messages: ChatMessage[];
  /** Whether there are older ones. */
  hasMore: boolean;
  /** Of the team's log: everything up to it is in the answer. */
  number: number;
}

/**
 * What a visitor sees: their conversation with its newest messages, and the event number to listen from.
 * docs/decisions/0020-live-stream.md
 *
 * @throws Refusal `not-authenticated` for a visitor who has not written yet
 */
export const openChat: Operation<{ before: number | undefined; limit: number }, Chat> = {
  name: "open-chat",
  mode: "read",
  async run(ctx, { before = Number.MAX_SAFE_INTEGER, limit }) {
    const { contactId } = visitorOf(ctx);
    if (contactId === undefined) throw notAuthenticated("token");
    const [contact, conversation, counters] = await Promise.all([
      ctx.db.first(contactById, { team_id: ctx.teamId, id: contactId }),
      ctx.db.first(mostRecentInBrowser, { team_id: ctx.teamId, contact_id: contactId }),
      countersOf(ctx),
    ]);
    if (!contact) throw new Error(`The contact ${contactId} of a session is gone.`);
    const found = conversation ? await messagesOf(ctx, conversation, before, limit + 1) : [];
    const messages = await withWhatIsShown(ctx, found.slice(0, limit));
    return { contact, conversation, messages, hasMore: found.length > limit, number: counters.event_number };
  },
};

function messagesOf(ctx: Context, { id }: ConversationRow, before: number, limit: number) {
  const of = { team_id: ctx.teamId, conversation_id: id };
  return ctx.db.all(messagesBefore, { ...of, before, types: listParam(["message"]), limit });
}
