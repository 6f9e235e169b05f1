import { Refusal } from "@frontdesk/core/domain/refusal";
import type { VisitorActor } from "../access/actor.ts";
import { insertVisitorSession, visitorSession } from "../access/visitor-session-store.ts";
import { addContact, type ContactDetails } from "../contacts/add-contact.ts";
import { contactById, insertPageVisit } from "../contacts/contact-store.ts";
import { nowActive } from "../contacts/now-active.ts";
import type { Context, Operation } from "../context.ts";
import type { ContactRow, MessageRow, WidgetRow } from "../storage/tables.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { addMessage, type NewAttachment } from "./add-message.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { conversationToJoin } from "./conversation-to-join.ts";
import { messageByClientId } from "./message-store.ts";

export interface WidgetMessage {
  /** Made by the browser; the same when the message is sent again. */
  clientId: string;
  content: string;
  attachments: NewAttachment[];
  /** Of a visitor who writes for the first time. */
  details: ContactDetails;
  /** The pages that led here, in their order; of a visitor who writes for the first time. */
  pageVisits: { page: string; visitedAt: number }[];
}

/**
 * A visitor writes in the widget. The first message makes the contact and ties the browser to it: nobody joins a contact
 * by an e-mail that anybody can type. A message that is sent again is answered with the one that is there.
 * docs/decisions/0020-live-stream.md
 *
 * @throws Refusal `not-allowed` for a visitor whom the team has blocked
 */
export const sendVisitorMessage: Operation<WidgetMessage, ChatMessage & { contact: ContactRow }> = {
  name: "send-visitor-message",
  mode: "write",
  async run(ctx, input) {
    const visitor = visitorOf(ctx);
    const widget = await ctx.db.first(widgetById, { team_id: ctx.teamId, id: visitor.widgetId });
    if (!widget) throw new Error("The widget of a visitor is gone.");
    const contact = (await knownContact(ctx, visitor)) ?? newContact(ctx, visitor, widget, input);
    if (contact.blocked_at !== null) throw new Refusal({ name: "not-allowed" }, "You cannot write here any more.");

    const sent = { team_id: ctx.teamId, contact_id: contact.id, client_id: input.clientId };
    const before = await ctx.db.first(messageByClientId, sent);
    if (before) return shown(ctx, contact, before);

    const open = await conversationToJoin(ctx, widget, nowActive(ctx, contact));
    const { clientId, content, attachments } = input;
    const { message } = addMessage(ctx, open, { from: "visitor", type: "message", content, attachments, clientId });
    return shown(ctx, contact, message);
  },
};

async function shown(ctx: Context, contact: ContactRow, written: MessageRow) {
  const [message] = await withWhatIsShown(ctx, [written]);
  if (!message) throw new Error("A message that was just written is gone.");
  return { ...message, contact };
}

/** The actor as a visitor: other actors have operations of their own. */
export function visitorOf(ctx: Context): VisitorActor {
  if (ctx.actor.kind !== "visitor") throw new Error("Only visitors do this.");
  return ctx.actor;
}

/** Looked up in the transaction: the first message may have been sent twice at once. */
async function knownContact(ctx: Context, visitor: VisitorActor): Promise<ContactRow | undefined> {
  const session = await ctx.db.first(visitorSession, { team_id: ctx.teamId, token_hash: visitor.tokenHash });
  return session && ctx.db.first(contactById, { team_id: ctx.teamId, id: session.contact_id });
}

function newContact(
  ctx: Context,
  { tokenHash }: VisitorActor,
  widget: WidgetRow,
  { details, pageVisits }: WidgetMessage,
): ContactRow {
  const contact = addContact(ctx, widget, details);
  const itself = { team_id: ctx.teamId, contact_id: contact.id };
  for (const { page, visitedAt } of pageVisits) {
    ctx.write(insertPageVisit, { ...itself, id: ctx.newId(), page, visited_at: visitedAt });
  }
  ctx.write(insertVisitorSession, { ...itself, token_hash: tokenHash, created_at: ctx.now, verified_until: null });
  return contact;
}
