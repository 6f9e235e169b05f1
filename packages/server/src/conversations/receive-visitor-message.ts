import { chooseContact } from "@frontdesk/core/domain/contact-choice";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { sentVia } from "../access/by-actor.ts";
import { accountOfWidget, type ChannelAccount } from "../channels/channel-account.ts";
import { addContact } from "../contacts/add-contact.ts";
import { contactById, mostRecentContactByEmail } from "../contacts/contact-store.ts";
import type { Context, Operation } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { widgetById } from "../widgets/widget-store.ts";
import type { WrittenMessage } from "./add-message.ts";
import { receiveMessage } from "./receive-message.ts";

export interface VisitorMessageInput {
  widgetId: string;
  content: string;
  contactId?: string | null | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

/**
 * A visitor writes on a website. The contact is chosen by `core/domain/contact-choice.ts`, among the contacts who came by a
 * website. Specification: POST /conversations.
 */
export const receiveVisitorMessage: Operation<VisitorMessageInput, WrittenMessage> = {
  name: "receive-visitor-message",
  mode: "write",
  async run(ctx, input) {
    const id = canonicalId(input.widgetId);
    const widget = id && (await ctx.db.first(widgetById, { team_id: ctx.teamId, id }));
    if (!widget) throw notFound("widget");

    const account = accountOfWidget(widget);
    const known = await knownContact(ctx, account, input);
    return receiveMessage(ctx, {
      account,
      who: {
        contact: known ?? addContact(ctx, account, input, { sourceOf: () => "team" }),
        isNew: known === undefined,
      },
      content: input.content,
      attachments: async () => [],
      sentVia: sentVia(ctx.actor),
    });
  },
};

function knownContact(
  ctx: Context,
  { channel, homeWidget }: ChannelAccount,
  input: VisitorMessageInput,
): Promise<ContactRow | undefined> {
  return chooseContact(
    { contactId: canonicalId(input.contactId), email: input.email || undefined },
    {
      async byId(id) {
        const found = await ctx.db.first(contactById, { team_id: ctx.teamId, id });
        return found?.widget_id === homeWidget.id && found.channel === channel ? found : undefined;
      },
      mostRecentByEmail: (email) =>
        ctx.db.first(mostRecentContactByEmail, {
          team_id: ctx.teamId,
          widget_id: homeWidget.id,
          channel,
          email_folded: foldText(email),
        }),
    },
  );
}
