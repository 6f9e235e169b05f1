import { doer } from "../agents/acting-agent.ts";
import type { Context, Operation } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { setContactBlocked } from "./contact-store.ts";
import { findContact } from "./find-contact.ts";

/**
 * Blocks a contact: what they write in the widget is refused (decision 10), and assistants do not reply to them. A repeat
 * changes nothing, and records nothing.
 *
 * @throws Refusal `not-found` for the contact
 */
export const blockContact: Operation<{ contactId: string }, ContactRow> = {
  name: "block-contact",
  mode: "write",
  run: (ctx, { contactId }) => setBlocked(ctx, contactId, ctx.now),
};

/** Unblocks a contact. A repeat changes nothing, and records nothing. */
export const unblockContact: Operation<{ contactId: string }, ContactRow> = {
  name: "unblock-contact",
  mode: "write",
  run: (ctx, { contactId }) => setBlocked(ctx, contactId, null),
};

async function setBlocked(ctx: Context, contactId: string, blockedAt: number | null): Promise<ContactRow> {
  const before = await findContact(ctx, contactId);
  if ((before.blocked_at === null) === (blockedAt === null)) return before;
  const contact: ContactRow = { ...before, blocked_at: blockedAt };
  ctx.write(setContactBlocked, { team_id: ctx.teamId, id: contact.id, blocked_at: blockedAt });
  const name = blockedAt === null ? "contact.unblocked" : "contact.blocked";
  ctx.record({ name, contact, changedBy: await doer(ctx, undefined) });
  return contact;
}
