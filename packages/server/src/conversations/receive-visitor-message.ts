import { chooseContact } from "@frontdesk/core/domain/contact-choice";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { addContact } from "../contacts/add-contact.ts";
import { contactById, mostRecentContactByEmail } from "../contacts/contact-store.ts";
import { nowActive } from "../contacts/now-active.ts";
import type { Context, Operation } from "../context.ts";
import type { ContactRow, WidgetRow } from "../storage/tables.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { addMessage, type WrittenMessage } from "./add-message.ts";
import { mostRecentConversation } from "./conversation-store.ts";
import { conversationToJoin } from "./conversation-to-join.ts";
import { startConversation } from "./start-conversation.ts";

export interface VisitorMessageInput {
  widgetId: string;
  content: string;
  contactId?: string | null | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

/**
 * A visitor writes. Who it is and which conversation it joins: `core/domain/contact-choice.ts` and
 * `core/domain/conversation.ts`; a resolved conversation is reopened. Specification: POST /conversations.
 */
export const receiveVisitorMessage: Operation<VisitorMessageInput, WrittenMessage> = {
  name: "receive-visitor-message",
  mode: "write",
  async run(ctx, input) {
    const id = canonicalId(input.widgetId);
    const widget = id && (await ctx.db.first(widgetById, { team_id: ctx.teamId, id }));
    if (!widget) throw notFound("widget");

    const known = await knownContact(ctx, widget, input);
    const contact = known ?? addContact(ctx, widget, input);
    const open = known
      ? await conversationToJoin(ctx, { widget, contact: known, latest: await latestOf(ctx, known) })
      : startConversation(ctx, { contact, widget, firstPageUrl: null });
    return addMessage(ctx, open, { from: "visitor", type: "message", content: input.content, attachments: [] });
  },
};

function latestOf(ctx: Context, { id }: ContactRow) {
  return ctx.db.first(mostRecentConversation, { team_id: ctx.teamId, contact_id: id });
}

async function knownContact(
  ctx: Context,
  widget: WidgetRow,
  input: VisitorMessageInput,
): Promise<ContactRow | undefined> {
  const contact = await chooseContact(
    { contactId: canonicalId(input.contactId), email: input.email || undefined },
    {
      async byId(id) {
        const found = await ctx.db.first(contactById, { team_id: ctx.teamId, id });
        return found?.widget_id === widget.id ? found : undefined;
      },
      mostRecentByEmail: (email) =>
        ctx.db.first(mostRecentContactByEmail, {
          team_id: ctx.teamId,
          widget_id: widget.id,
          email_folded: foldText(email),
        }),
    },
  );
  return contact && nowActive(ctx, contact);
}
