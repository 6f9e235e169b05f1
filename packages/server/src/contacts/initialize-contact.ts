import { canonicalId } from "@frontdesk/core/domain/id";
import { scopesFor, scopesMissing } from "@frontdesk/core/domain/policy";
import { invalid, lacksScopes } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../access/actor.ts";
import { heldScopes, sentVia } from "../access/by-actor.ts";
import { accountOfWidget } from "../channels/channel-account.ts";
import type { Operation } from "../context.ts";
import type { NewAttachment } from "../conversations/add-message.ts";
import { receiveMessage } from "../conversations/receive-message.ts";
import { takeFiles } from "../files/take-files.ts";
import type { PageVisitRow } from "../storage/tables.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { addContact, type ContactDetails } from "./add-contact.ts";
import { insertPageVisit } from "./contact-store.ts";
import type { WholeContact } from "./list-contacts.ts";

export interface NewVisitor {
  widgetId: string;
  details: ContactDetails;
  /** In the order they were visited. */
  pageVisits: { page: string; visitedAt: number }[];
  /** A text, attachments or both: a conversation starts with it. Undefined: the contact has not written yet. */
  message: { content: string; attachments: NewAttachment[] } | undefined;
}

/**
 * Creates a contact when a visitor starts a chat; every call creates a new one (decision 17). Specification: POST
 * /contacts/initialize.
 *
 * @throws Refusal `invalid`; `not-allowed` for a key that begins a conversation without the scope for it
 *   (docs/decisions/0031-power-of-keys.md)
 */
export const initializeContact: Operation<NewVisitor, WholeContact> = {
  name: "initialize-contact",
  mode: "write",
  async run(ctx, { widgetId, details, pageVisits, message }) {
    if (message) requireWriting(ctx.actor);
    const id = canonicalId(widgetId);
    const widget = id && (await ctx.db.first(widgetById, { team_id: ctx.teamId, id }));
    if (!widget) throw invalid({ widgetId: "no-such-widget" });

    const account = accountOfWidget(widget);
    const contact = addContact(ctx, account, details, { sourceOf: () => "team" });
    const visits = pageVisits.map(
      ({ page, visitedAt }): PageVisitRow => ({
        team_id: ctx.teamId,
        contact_id: contact.id,
        id: ctx.newId(),
        page,
        visited_at: visitedAt,
        widget_id: contact.widget_id,
      }),
    );
    for (const visit of visits) ctx.write(insertPageVisit, visit);

    if (message) {
      await receiveMessage(ctx, {
        account,
        who: { contact, isNew: true },
        content: message.content,
        attachments: () => takeFiles(ctx, message.attachments),
        firstPageUrl: visits[0]?.page,
        sentVia: sentVia(ctx.actor),
      });
    }
    return { contact: { ...contact, widget_name: widget.name }, pageVisits: visits };
  },
};

/** A visitor's first message needs the same scope here as elsewhere. */
function requireWriting(actor: Actor): void {
  const missing = scopesMissing(scopesFor("receive-visitor-message") ?? [], heldScopes(actor));
  if (missing.length > 0) throw lacksScopes("start a conversation", missing);
}
