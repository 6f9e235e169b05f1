import { notAllowed } from "@frontdesk/core/domain/refusal";
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
import { addMessage, type NewAttachment } from "./add-message.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { mostRecentConversation } from "./conversation-store.ts";
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
    const { identity, data } = input;
    const { widget, known } = await recogniseVisitor(ctx, identity);
    const met = known?.contact ?? newContact(ctx, widget, input);
    if (met.blocked_at !== null) throw notAllowed("visitor-blocked");
    const contact = await describeVisitor(ctx, met, { widget, identity, page: { data } });

    const sent = { team_id: ctx.teamId, contact_id: contact.id, client_id: input.clientId };
    const [before, latest] = await Promise.all([
      ctx.db.first(messageByClientId, sent),
      ctx.db.first(mostRecentConversation, sent),
    ]);
    if (before) return shownAgain(ctx, contact, before);

    const attachments = await takeOwnFiles(ctx, input.attachments, input.filesUrl);
    const open = await conversationToJoin(ctx, { widget, contact: nowActive(ctx, contact), latest });
    const { clientId, content } = input;
    const written = addMessage(ctx, open, { from: "visitor", type: "message", content, attachments, clientId });
    return { message: written.message, agent: undefined, attachments: written.attachments, contact };
  },
};

async function shownAgain(ctx: Context, contact: ContactRow, before: MessageRow) {
  const [message] = await withWhatIsShown(ctx, [before]);
  if (!message) throw new Error("A message that is there is gone.");
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
