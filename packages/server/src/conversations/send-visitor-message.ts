import { notAllowed } from "@frontdesk/core/domain/refusal";
import { visitorOf } from "../access/actor.ts";
import type { VouchedIdentity } from "../access/visitor-identity.ts";
import { insertVisitorSession } from "../access/visitor-session-store.ts";
import { accountOfWidget } from "../channels/channel-account.ts";
import { addContact, type ContactDetails } from "../contacts/add-contact.ts";
import { type ContactDevice, insertPageVisit } from "../contacts/contact-store.ts";
import { describeVisitor, sourceIn, vouchedBy } from "../contacts/describe-visitor.ts";
import { noteDevice } from "../contacts/note-device.ts";
import { recogniseVisitor } from "../contacts/recognise-visitor.ts";
import type { Context, Operation } from "../context.ts";
import { takeOwnFiles } from "../files/take-files.ts";
import type { ContactRow, MessageRow, WidgetRow } from "../storage/tables.ts";
import { findWidget } from "../widgets/find-widget.ts";
import type { NewAttachment } from "./add-message.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { receiveMessage } from "./receive-message.ts";

export interface WidgetMessage {
  /** Made by the browser; the same when the message is sent again. */
  clientId: string;
  content: string;
  attachments: NewAttachment[];
  /** The beginning of the addresses of files. */
  filesUrl: string;
  /** The identity that the owner's server has signed. */
  identity: VouchedIdentity | undefined;
  /** Custom data, as the page sends it. */
  data: Readonly<Record<string, string>> | undefined;
  /** Of a visitor who writes for the first time. */
  details: ContactDetails;
  /** What the browser says of itself; null is unknown. */
  device: ContactDevice;
  /** The pages that led here, in their order; of a visitor who writes for the first time. */
  pageVisits: { page: string; visitedAt: number }[];
}

/**
 * A visitor writes in the widget. The first message creates the contact and binds the browser to it: an e-mail, which anyone
 * can type, never joins an existing contact, but a signed identity does. For a message that is sent again the stored one is
 * returned. docs/decisions/0020-live-stream.md, docs/decisions/0023-verified-visitors.md
 *
 * @throws Refusal `not-allowed` for a visitor whom the team has blocked, `invalid` on an attachment that is not their own
 *   file, `not-authenticated` naming `identity` when a verified session has expired and no new identity is given
 */
export const sendVisitorMessage: Operation<WidgetMessage, ChatMessage & { contact: ContactRow }> = {
  name: "send-visitor-message",
  mode: "write",
  async run(ctx, input) {
    const { identity, data } = input;
    const { widget, known } = await recogniseVisitor(ctx, identity);
    const met = known ? noteDevice(ctx, known.contact, input.device) : newContact(ctx, widget, input);
    if (met.blocked_at !== null) throw notAllowed("visitor-blocked");
    const contact = await describeVisitor(ctx, met, { widget, identity, page: { data } });

    const { clientId, content } = input;
    const { message, attachments, isNew } = await receiveMessage(ctx, {
      account: accountOfWidget(await homeWidgetOf(ctx, contact, widget)),
      who: { contact, isNew: !known },
      ...{ clientId, content, sentVia: "widget" },
      attachments: () => takeOwnFiles(ctx, input.attachments, input.filesUrl),
      firstPageUrl: known ? undefined : input.pageVisits[0]?.page,
    });
    return isNew ? { message, agent: undefined, attachments, contact } : shownAgain(ctx, contact, message);
  },
};

/** A verified visitor continues the conversation of their home widget, on whatever site they are. */
async function homeWidgetOf(ctx: Context, { widget_id }: ContactRow, here: WidgetRow): Promise<WidgetRow> {
  return widget_id === here.id ? here : findWidget(ctx, widget_id);
}

async function shownAgain(ctx: Context, contact: ContactRow, before: MessageRow) {
  const [message] = await withWhatIsShown(ctx, [before]);
  if (!message) throw new Error("A message that is there is gone.");
  return { ...message, contact };
}

function newContact(
  ctx: Context,
  widget: WidgetRow,
  { details, device, pageVisits, identity }: WidgetMessage,
): ContactRow {
  const { verified_id = null, verified_email = null, ...vouched } = vouchedBy(identity);
  const given = { verified: { verified_id, verified_email }, sourceOf: sourceIn(vouched) };
  const contact = addContact(ctx, accountOfWidget(widget), { ...details, ...device, ...vouched }, given);
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
