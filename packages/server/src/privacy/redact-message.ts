import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { isBoundByHolds } from "../access/by-actor.ts";
import { doer } from "../agents/acting-agent.ts";
import { forgetRunDetails } from "../ai/runs/run-store.ts";
import { freeTurn } from "../ai/turn/turn-store.ts";
import type { Context, Operation } from "../context.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";
import { messageById } from "../conversations/message-store.ts";
import { listParam } from "../storage/dialect.ts";
import { beginErasure } from "./begin-erasure.ts";
import { dropExports } from "./drop-exports.ts";
import { emptyPayloads } from "./empty-payloads.ts";
import { refuseHeld } from "./erase-contact.ts";
import { giveUpAttachments } from "./give-up-attachments.ts";
import { forgetSubject, giveUpQuotes } from "./give-up-mails.ts";
import { emptyMessage, eventsAbout } from "./redact-store.ts";

/**
 * Takes away the text and the files of a message, in the log and in what receivers answered too; the message keeps its place. Later
 * mails of the conversation lose what may quote it: their originals, and the text that is folded away. What the disk has of them follows (`erase-job.ts`). A repeat changes nothing, and records nothing. Returns whether there was something.
 *
 * @throws Refusal `not-found` for the message; `conflict` while its contact is on hold
 */
export const redactMessage: Operation<{ messageId: string; reason?: string | undefined }, boolean> = {
  name: "redact-message",
  mode: "write",
  async run(ctx, { messageId, reason }) {
    const id = canonicalId(messageId);
    const message = id && (await ctx.db.first(messageById, { team_id: ctx.teamId, id }));
    if (!message) throw notFound("message");
    const people = await findConversationWithPeople(ctx, message.conversation_id);
    // A restored backup has it again: a hold of that time had ended.
    if (isBoundByHolds(ctx.actor)) await refuseHeld(ctx, people.contact.id);
    const { attachments, files } = await giveUpAttachments(ctx, [message.id], "texts");
    if (message.content === null && attachments === 0) return false;
    // Notes are in no mail.
    const quotes = message.type === "note" ? 0 : await giveUpQuotes(ctx, message);
    const { conversation_id, sort_number } = message;
    if (sort_number === 1) ctx.write(forgetSubject, { team_id: ctx.teamId, conversation_id });
    ctx.write(emptyMessage, { team_id: ctx.teamId, conversation_id, sort_number });
    // What the model was sent holds it, too.
    ctx.write(forgetRunDetails, { team_id: ctx.teamId, conversation_id });
    // A turn under way has read it: it loses its claim, and is run again without it.
    ctx.write(freeTurn, { team_id: ctx.teamId, conversation_id, attempts: 0 });
    ctx.turnDue(ctx.now);
    dropExports(ctx, [people.contact.id]);
    await redactEvents(ctx, people.contact.id, message.id);
    const redactedBy = await doer(ctx, undefined);
    ctx.record({ name: "message.redacted", ...people, message, reason, redactedBy });
    const erased = { messages: 1, files: files + quotes };
    const text = message.content;
    const erasure = beginErasure(ctx, {
      what: "message",
      of: { message_id: message.id },
      by: redactedBy,
      reason,
      text,
      erased,
    });
    ctx.enqueue({ kind: "erase", payload: { erasureId: erasure.id } });
    return true;
  },
};

/** What receivers get from now on, and what the log shows, is the message without its text and files. */
async function redactEvents(ctx: Context, contactId: string, messageId: string): Promise<void> {
  const about = { team_id: ctx.teamId, contact_id: contactId, about: listParam([messageId]) };
  emptyPayloads(ctx, await ctx.db.all(eventsAbout, about), "texts", new Set([messageId]));
}
