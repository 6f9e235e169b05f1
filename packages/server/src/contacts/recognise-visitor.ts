import { introduceAgain, notFound } from "@frontdesk/core/domain/refusal";
import { hasRunOut } from "@frontdesk/core/domain/visitor-identity";
import { visitorOf } from "../access/actor.ts";
import type { VouchedIdentity } from "../access/visitor-identity.ts";
import {
  deleteVisitorSession,
  insertVisitorSession,
  updateVisitorSession,
  visitorSession,
} from "../access/visitor-session-store.ts";
import type { Context } from "../context.ts";
import { addSystemLine } from "../conversations/add-system-line.ts";
import { mostRecentInBrowser } from "../conversations/conversation-store.ts";
import { erasureOfWidget } from "../privacy/erase-widget-store.ts";
import { hideContacts } from "../privacy/hide-widget.ts";
import type { ContactRow, VisitorSessionRow, WidgetRow } from "../storage/tables.ts";
import { findWidget } from "../widgets/find-widget.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { contactById, contactByVerifiedId } from "./contact-store.ts";

/** The visitor's contact. */
export interface KnownVisitor {
  contact: ContactRow;
  /** Until when a verified session sees the contact, ms since the epoch; null for any other. */
  verifiedUntil: number | null;
}

/**
 * The widget and the contact of a visitor, by the session of the browser and the identity in the request; the session belongs
 * to that contact from then on. Looked up in the transaction: the same may have been sent twice at once.
 *
 * ```
 *   session      identity           a contact that it verified   result
 *   none         none                                            no contact yet
 *   none         given              none                         no contact yet: the first message creates it
 *   none         given              there                        a session of that contact
 *   unverified   none                                            its contact
 *   unverified   given              none                         its contact, verified from now on
 *   unverified   given              there                        the session moves there, and the old conversation says so
 *   verified     none                                            its contact, while it lasts
 *   verified     the same one       it is                        its contact, for longer
 *   verified     another one        there                        the session moves there
 *   verified     another one        none                         the session ends: no contact yet
 * ```
 * What the identity and the page say of the contact is `describe-visitor.ts`. docs/decisions/0023-verified-visitors.md
 *
 * @throws Refusal `not-authenticated` naming `identity` when a verified session has expired and no new identity is given;
 *   `not-found` for a widget that was removed meanwhile
 */
export async function recogniseVisitor(
  ctx: Context,
  identity: VouchedIdentity | undefined,
): Promise<{ widget: WidgetRow; known: KnownVisitor | undefined }> {
  const { tokenHash, widgetId } = visitorOf(ctx);
  const [widget, session] = await Promise.all([
    ctx.db.first(widgetById, { team_id: ctx.teamId, id: widgetId }),
    ctx.db.first(visitorSession, { team_id: ctx.teamId, token_hash: tokenHash }),
  ]);
  if (!widget) throw notFound("widget");
  const known = identity ? vouchedVisitor(ctx, widget, session, identity) : session && whoseSession(ctx, session);
  return { widget, known: await known };
}

async function vouchedVisitor(
  ctx: Context,
  widget: WidgetRow,
  before: VisitorSessionRow | undefined,
  identity: VouchedIdentity,
): Promise<KnownVisitor | undefined> {
  const key = { team_id: ctx.teamId, token_hash: visitorOf(ctx).tokenHash };

  const own =
    before &&
    (await unlessRemoved(ctx, await ctx.db.first(contactById, { team_id: ctx.teamId, id: before.contact_id })));
  const verified = await unlessRemoved(
    ctx,
    await ctx.db.first(contactByVerifiedId, { team_id: ctx.teamId, verified_id: identity.id }),
  );
  const session = own && before;
  const contact = verified ?? (own?.verified_id === null ? own : undefined);
  if (own && own.id !== contact?.id) await leave(ctx, own, contact);
  if (!contact) {
    if (session) ctx.write(deleteVisitorSession, key);
    return undefined;
  }
  if (contact.id === own?.id && session?.verified_until === null) {
    ctx.record({ name: "visitor-session.verified", contact });
  }
  const vouched = { ...key, contact_id: contact.id, vouched_by: widget.id };
  const verifiedUntil = untilWhen(session, { ...vouched, verified_until: identity.until });
  if (session) ctx.write(updateVisitorSession, { ...vouched, verified_until: verifiedUntil });
  else ctx.write(insertVisitorSession, { ...vouched, verified_until: verifiedUntil, created_at: ctx.now });
  return { contact, verifiedUntil };
}

async function whoseSession(ctx: Context, session: VisitorSessionRow): Promise<KnownVisitor | undefined> {
  const verifiedUntil = session.verified_until;
  if (verifiedUntil !== null && hasRunOut(verifiedUntil, ctx.now)) throw introduceAgain();
  const contact = await ctx.db.first(contactById, { team_id: ctx.teamId, id: session.contact_id });
  if (!contact) throw new Error(`The contact ${session.contact_id} of a session is gone.`);
  return (await unlessRemoved(ctx, contact)) && { contact, verifiedUntil };
}

/** A contact who is going to be erased with their widget is erased first, so that the visitor can begin anew on another one. */
async function unlessRemoved(ctx: Context, contact: ContactRow | undefined): Promise<ContactRow | undefined> {
  if (!contact || contact.widget_id === visitorOf(ctx).widgetId) return contact;
  const of = { team_id: ctx.teamId, widget_id: contact.widget_id };
  if (await ctx.db.first(widgetById, { team_id: ctx.teamId, id: contact.widget_id })) return contact;
  const removal = await ctx.db.first(erasureOfWidget, of);
  if (!removal) throw new Error(`The widget ${contact.widget_id} of a contact is gone.`);
  await hideContacts(ctx, removal, [contact]);
  return undefined;
}

/** An older identity that is still valid shortens nothing: two tabs may have fetched theirs at different times. */
function untilWhen(
  before: VisitorSessionRow | undefined,
  vouched: Pick<VisitorSessionRow, "contact_id" | "vouched_by"> & { verified_until: number },
): number {
  const isSame = before?.contact_id === vouched.contact_id && before.vouched_by === vouched.vouched_by;
  return isSame ? Math.max(before.verified_until ?? 0, vouched.verified_until) : vouched.verified_until;
}

/** The browser belongs to another contact from now on. The team keeps everything of the previous contact. */
async function leave(ctx: Context, from: ContactRow, to: ContactRow | undefined): Promise<void> {
  ctx.record({ name: "visitor-session.moved", contact: from, to });
  if (from.verified_id !== null || !to) return;
  const conversation = await ctx.db.first(mostRecentInBrowser, { team_id: ctx.teamId, contact_id: from.id });
  if (!conversation) return;
  const widget = await findWidget(ctx, conversation.widget_id);
  const who = to.name ?? to.email ?? "a known contact";
  const line = `The website has recognised this visitor as ${who} (${to.verified_id}). They go on in that contact's conversation.`;
  const said = { who: to.name ?? to.email ?? "", id: to.verified_id ?? "" };
  addSystemLine(ctx, { conversation, contact: from, widget }, line, { name: "visitor.recognised", values: said });
}
