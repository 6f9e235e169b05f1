import { foldText } from "@frontdesk/core/domain/folded-text";
import { phoneDigits } from "@frontdesk/core/domain/phone";
import { searchText } from "@frontdesk/core/domain/search-text";
import type { Context } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { latestPageVisit, updateContactRow } from "./contact-store.ts";

/** In the order in which an event names them. */
const changeable = ["name", "email", "phone", "verified_id", "verified_email"] as const;

/** The changes of a contact; what is undefined stays. */
export type DetailsChange = { [Field in (typeof changeable)[number]]?: string | undefined };

/**
 * Changes details of a contact, and returns the changed contact. Unchanged values record no event.
 *
 * @param byTeam whether the team or a program of theirs makes the change: a name that they have set is marked (decision 18)
 */
export async function changeContact<Contact extends ContactRow>(
  ctx: Context,
  contact: Contact,
  change: DetailsChange,
  { byTeam }: { byTeam: boolean },
): Promise<Contact> {
  const changed = changeable.filter((field) => change[field] !== undefined && change[field] !== contact[field]);
  if (changed.length === 0) return contact;

  const updated = { ...contact, ...pick(change, changed) };
  if (byTeam && changed.includes("name")) updated.is_name_updated = 1;
  updated.email_folded = updated.email && foldText(updated.email);
  updated.phone_digits = phoneDigits(updated.phone);
  updated.search_text = searchText(updated.name, updated.email);
  ctx.write(updateContactRow, updated);
  ctx.record({
    name: "contact.updated",
    contact: updated,
    previous: pick(contact, changed),
    current: pick(updated, changed),
    source: (await ctx.db.first(latestPageVisit, { team_id: ctx.teamId, contact_id: contact.id }))?.page,
  });
  return updated;
}

function pick(from: DetailsChange | ContactRow, fields: readonly (keyof DetailsChange)[]) {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as DetailsChange;
}
