import { because } from "@frontdesk/core/domain/reasons";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { doer } from "../agents/acting-agent.ts";
import { findContact } from "../contacts/find-contact.ts";
import type { Context, Operation } from "../context.ts";
import type { ErasureRow } from "../storage/tables.ts";
import { beginErasure } from "./begin-erasure.ts";
import { type ContactToHide, contactToHide } from "./contact-to-hide-store.ts";
import { dropExports } from "./drop-exports.ts";
import { conversationsOfErased, deleteContact, deletionsOfContact } from "./erase-rows-store.ts";
import { insertErasedContact } from "./erasure-store.ts";
import { hideConversations } from "./hide-conversations.ts";
import { holdNow } from "./hold-contact.ts";
import { namingOf, namingPlace } from "./naming.ts";

interface ContactToErase {
  contactId: string;
  reason?: string | undefined;
  /** It was erased before, and a restored backup has it again: a hold of that time had ended. */
  again?: true;
}

/**
 * Erases a contact with everything of theirs (specification of the additions, section 6; docs/decisions/0053-erasing.md). From this
 * commit on the contact and its conversations are unknown; their messages and the log follow in pieces (`erase-piece.ts`).
 *
 * @throws Refusal `not-found` for the contact; `held` while it is on hold
 */
export const eraseContact: Operation<ContactToErase, ErasureRow> = {
  name: "erase-contact",
  mode: "write",
  async run(ctx, { contactId, reason, again }) {
    const { id } = await findContact(ctx, contactId);
    if (!again) await refuseHeld(ctx, id);
    const of = { team_id: ctx.teamId, contact_id: id };
    const conversations = await ctx.db.all(conversationsOfErased, of);
    const erased = { contacts: 1, conversations: conversations.length };
    const by = await doer(ctx, undefined);
    const erasure = beginErasure(ctx, { what: "contact", of: { contact_id: id }, by, reason, erased });
    hideConversations(ctx, erasure.id, conversations, 0);
    await hideFoundContact(ctx, erasure.id, id);
    ctx.enqueue({ kind: "erase", payload: { erasureId: erasure.id } });
    return erasure;
  },
};

/** The same of one whose names are not read yet. */
export async function hideFoundContact(ctx: Context, erasureId: string, id: string): Promise<void> {
  const contact = await ctx.db.first(contactToHide, { team_id: ctx.teamId, id });
  if (!contact) throw new Error(`The contact ${id} is gone while it is erased.`);
  hideContact(ctx, erasureId, contact);
}

/** Deletes the row of a contact whose conversations are hidden, with what else it has; its events are left to `erase-piece.ts`. */
export function hideContact(ctx: Context, erasureId: string, contact: ContactToHide): void {
  const of = { team_id: ctx.teamId, contact_id: contact.id };
  dropExports(ctx, [contact.id]);
  for (const deletion of Object.values(deletionsOfContact)) ctx.write(deletion, of);
  ctx.write(deleteContact, { team_id: ctx.teamId, id: contact.id });
  const naming_sealed = ctx.vault.seal(JSON.stringify(namingOf(contact)), namingPlace(ctx.teamId, contact.id));
  ctx.write(insertErasedContact, { ...of, erasure_id: erasureId, naming_sealed });
  ctx.count("contacts", -1);
  ctx.moveInList("contacts", contact.last_active_at, undefined);
  ctx.record({ name: "erasure.started", erased: { contactId: contact.id, conversationIds: "all" } });
}

/** @throws Refusal `held` */
export async function refuseHeld(ctx: Context, contactId: string): Promise<void> {
  const hold = await holdNow(ctx, contactId);
  if (hold) throw new Refusal({ name: "conflict" }, because("contact-held", { reason: hold.reason }));
}
