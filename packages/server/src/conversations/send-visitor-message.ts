import { Refusal } from "@frontdesk/core/domain/refusal";
import { visitorOf } from "../access/actor.ts";
import type { VouchedIdentity } from "../access/visitor-identity.ts";
import { insertVisitorSession } from "../access/visitor-session-store.ts";
import { addContact, type ContactDetails } from "../contacts/add-contact.ts";
import { insertPageVisit } from "../contacts/contact-store.ts";
import { describeVisitor, vouchedBy } from "../contacts/describe-visitor.ts";
import { nowActive } from "../contacts/now-active.ts";
import { recogniseVisitor } from "../contacts/recognise-visitor.ts";
import type { Context, Operation } from "../context.ts";
import { takeOwnFiles } from "../files/take-files.ts";
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
  /** Where the addresses of files begin. */
  filesUrl: string;
  /** For whom the owner's server vouches. */
  identity: VouchedIdentity | undefined;
  /** Custom data, as the page says it. */
  data: Readonly<Record<string, string>> | undefined;
  /** Of a visitor who writes for the first time. */
  details: ContactDetails;
  /** The pages that led here, in their order; of a visitor who writes for the first time. */
  pageVisits: { page: string; visitedAt: number }[];
}

/**
 * A visitor writes in the widget. The first message makes the contact and ties the browser to it: nobody joins a contact
 * by an e-mail that anybody can type, but by a signed identity. A message that is sent again is answered with the one that is
 * there. docs/decisions/0020-live-stream.md, docs/decisions/0023-verified-visitors.md
 *
 * @throws Refusal `not-allowed` for a visitor whom the team has blocked, `invalid` on an attachment that is not their own file,
 *   `not-authenticated` naming `identity` when a verified session has run out and nobody vouches anew
 */
export const sendVisitorMessage: Operation<WidgetMessage, ChatMessage & { contact: ContactRow }> = {
  name: "send-visitor-message",
  mode: "write",
  async run(ctx, input) {
    const widget = await ctx.db.first(widgetById, { team_id: ctx.teamId, id: visitorOf(ctx).widgetId });
    if (!widget) throw new Error("The widget of a visitor is gone.");
    const { identity, data } = input;
    const known = await recogniseVisitor(ctx, widget, identity);
    const met = known?.contact ?? newContact(ctx, widget, input);
    if (met.blocked_at !== null) throw new Refusal({ name: "not-allowed" }, "You cannot write here any more.");
    const contact = await describeVisitor(ctx, met, { widget, identity, page: { data } });

    const sent = { team_id: ctx.teamId, contact_id: contact.id, client_id: input.clientId };
    const before = await ctx.db.first(messageByClientId, sent);
    if (before) return shown(ctx, contact, before);

    const attachments = await takeOwnFiles(ctx, input.attachments, input.filesUrl);
    const open = await conversationToJoin(ctx, widget, nowActive(ctx, contact));
    const { clientId, content } = input;
    const { message } = addMessage(ctx, open, { from: "visitor", type: "message", content, attachments, clientId });
    return shown(ctx, contact, message);
  },
};

async function shown(ctx: Context, contact: ContactRow, written: MessageRow) {
  const [message] = await withWhatIsShown(ctx, [written]);
  if (!message) throw new Error("A message that was just written is gone.");
  return { ...message, contact };
}

function newContact(ctx: Context, widget: WidgetRow, { details, pageVisits, identity }: WidgetMessage): ContactRow {
  const { verified_id = null, verified_email = null, ...vouched } = vouchedBy(identity);
  const contact = addContact(ctx, widget, { ...details, ...vouched }, { verified_id, verified_email });
  const itself = { team_id: ctx.teamId, contact_id: contact.id };
  for (const { page, visitedAt } of pageVisits) {
    ctx.write(insertPageVisit, { ...itself, id: ctx.newId(), page, visited_at: visitedAt });
  }
  ctx.write(insertVisitorSession, {
    ...itself,
    token_hash: visitorOf(ctx).tokenHash,
    created_at: ctx.now,
    verified_until: identity?.until ?? null,
    vouched_by: identity ? widget.id : null,
  });
  return contact;
}
