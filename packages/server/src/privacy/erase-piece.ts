import type { Context, Operation } from "../context.ts";
import { conversationById } from "../conversations/conversation-store.ts";
import { listParam, numbersParam } from "../storage/dialect.ts";
import type { ErasedContactRow, ErasedConversationRow, EventRow } from "../storage/tables.ts";
import { emptyPayloads } from "./empty-payloads.ts";
import {
  blankAttempts,
  blankEvents,
  deleteMessages,
  deletionsOfMessages,
  emptyMessages,
  eventsOfContactBefore,
  eventsOfErased,
  messagesLeft,
  stopItemsOfEvents,
  textsLeft,
} from "./erase-rows-store.ts";
import { type ErasedCounts, erasedCounts } from "./erased-counts.ts";
import {
  contactLeft,
  conversationLeft,
  deleteErasedContact,
  deleteErasedConversation,
  erasureById,
  noteErased,
  noteEventsErased,
} from "./erasure-store.ts";
import { giveUpAttachments } from "./give-up-attachments.ts";
import { forgetImports, forgetSubject } from "./give-up-mails.ts";

/** Rows of one commit: the team's other writes wait for it. */
const AT_ONCE = 100;

/** Erases some of what an erasure has hidden. Returns whether something may be left; what has to go besides rows is `erase-job.ts`. */
export const erasePiece: Operation<{ erasureId: string }, boolean> = {
  name: "erase-piece",
  mode: "write",
  async run(ctx, { erasureId }) {
    const erasure = await ctx.db.first(erasureById, { team_id: ctx.teamId, id: erasureId });
    if (!erasure || erasure.finished_at !== null) return false;
    const counts = erasedCounts(erasure.erased);
    const isLeft = await eraseSome(ctx, erasureId, counts);
    ctx.write(noteErased, { team_id: ctx.teamId, id: erasure.id, erased: JSON.stringify(counts) });
    return isLeft;
  },
};

/**
 * First the log of a contact, from its newest event, so that nothing more of it goes out; then conversations, each with its events,
 * messages and files; at last `contact.erased` is recorded. Returns false when there was nothing left.
 */
async function eraseSome(ctx: Context, erasure_id: string, counts: ErasedCounts): Promise<boolean> {
  const of = { team_id: ctx.teamId, erasure_id };
  const contact = await ctx.db.first(contactLeft, of);
  if (contact && (await eraseEventsOfContact(ctx, contact, counts))) return true;
  const conversation = await ctx.db.first(conversationLeft, of);
  if (conversation) {
    if (conversation.events_before > 0) await eraseEventsOfConversation(ctx, conversation, counts);
    else if (conversation.texts_up_to === null) await eraseMessages(ctx, conversation, counts);
    else await eraseTexts(ctx, conversation, conversation.texts_up_to, counts);
    return true;
  }
  if (contact) endContact(ctx, contact);
  return contact !== undefined;
}

/** Returns whether there may be more. */
async function eraseEventsOfContact(
  ctx: Context,
  { contact_id }: ErasedContactRow,
  counts: ErasedCounts,
): Promise<boolean> {
  const events = await ctx.db.all(eventsOfErased, { team_id: ctx.teamId, contact_id, limit: AT_ONCE });
  eraseEvents(ctx, events, counts);
  return events.length > 0;
}

/** The events of a contact, from the newest down; those of other conversations are passed over. */
async function eraseEventsOfConversation(
  ctx: Context,
  left: ErasedConversationRow,
  counts: ErasedCounts,
): Promise<void> {
  const { contact_id, conversation_id, events_before: before } = left;
  const events = await ctx.db.all(eventsOfContactBefore, { team_id: ctx.teamId, contact_id, before, limit: AT_ONCE });
  const own = events.filter((event) => event.conversation_id === conversation_id);
  if (left.texts_up_to === null) eraseEvents(ctx, own, counts);
  else emptyPayloads(ctx, own, "texts");
  const last = events.length < AT_ONCE ? undefined : events.at(-1);
  const { team_id, erasure_id } = left;
  ctx.write(noteEventsErased, { team_id, erasure_id, conversation_id, events_before: last?.number ?? 0 });
}

function eraseEvents(ctx: Context, events: readonly Pick<EventRow, "id" | "number">[], counts: ErasedCounts): void {
  if (events.length === 0) return;
  const event_ids = listParam(events.map(({ id }) => id));
  ctx.write(stopItemsOfEvents, { team_id: ctx.teamId, event_ids, ended_at: ctx.now });
  ctx.write(blankAttempts, { team_id: ctx.teamId, event_ids });
  ctx.write(blankEvents, { team_id: ctx.teamId, event_numbers: numbersParam(events.map(({ number }) => number)) });
  counts.events += events.length;
}

async function eraseMessages(ctx: Context, left: ErasedConversationRow, counts: ErasedCounts): Promise<void> {
  const { conversation_id } = left;
  const messages = await ctx.db.all(messagesLeft, { team_id: ctx.teamId, conversation_id, limit: AT_ONCE });
  if (messages.length < AT_ONCE) ctx.write(deleteErasedConversation, left);
  const last = messages.at(-1);
  if (!last) return;
  const ids = messages.map(({ id }) => id);
  counts.files += (await giveUpAttachments(ctx, ids, "all")).files;
  ctx.write(deletionsOfMessages.external_messages, { team_id: ctx.teamId, message_ids: listParam(ids) });
  ctx.write(deleteMessages, { team_id: ctx.teamId, conversation_id, up_to: last.sort_number });
  counts.messages += messages.length;
}

/** The messages keep their place. Who shows the conversation hears of it once, when all of its texts are gone. */
async function eraseTexts(
  ctx: Context,
  left: ErasedConversationRow,
  up_to: number,
  counts: ErasedCounts,
): Promise<void> {
  const { conversation_id, contact_id } = left;
  const messages = await ctx.db.all(textsLeft, { team_id: ctx.teamId, conversation_id, up_to, limit: AT_ONCE });
  if (messages.length < AT_ONCE) {
    ctx.write(deleteErasedConversation, left);
    const erasedTexts = { conversationId: conversation_id, upTo: up_to };
    // Erased as a whole meanwhile, its id is not named in the log again.
    const isThere = await ctx.db.first(conversationById, { team_id: ctx.teamId, id: conversation_id });
    if (isThere) ctx.record({ name: "conversation.texts-erased", contact: { id: contact_id }, erasedTexts });
  }
  if (messages.length === 0) return;
  const ids = messages.map(({ id }) => id);
  counts.files += (await giveUpAttachments(ctx, ids, "texts")).files;
  ctx.write(forgetSubject, { team_id: ctx.teamId, conversation_id });
  ctx.write(emptyMessages, { team_id: ctx.teamId, message_ids: listParam(ids) });
  counts.messages += messages.length;
}

function endContact(ctx: Context, contact: ErasedContactRow): void {
  const { team_id, erasure_id, contact_id } = contact;
  ctx.write(forgetImports, { team_id, message_ids: listParam([contact_id]) });
  ctx.write(deleteErasedContact, { team_id, erasure_id, contact_id });
  ctx.record({ name: "contact.erased", contactId: contact_id, erasedAt: ctx.now });
}
