import type { Context } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { markContactActive } from "./contact-store.ts";

/**
 * Notes that the contact is active, and returns the changed contact. A clock that was set back does not move the time back.
 *
 * @param at ms since the epoch; never in the future
 */
export function nowActive(ctx: Context, contact: ContactRow, at = ctx.now): ContactRow {
  const lastActiveAt = Math.max(contact.last_active_at, Math.min(at, ctx.now));
  ctx.moveInList("contacts", contact.last_active_at, lastActiveAt);
  ctx.write(markContactActive, { team_id: ctx.teamId, id: contact.id, last_active_at: lastActiveAt });
  return { ...contact, last_active_at: lastActiveAt };
}
