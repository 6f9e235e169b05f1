import { type DetailSource, sourceAfter } from "@frontdesk/core/domain/detail-source";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { phoneDigits } from "@frontdesk/core/domain/phone";
import { searchText } from "@frontdesk/core/domain/search-text";
import type { Context } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import type { SourcedDetail } from "./add-contact.ts";
import { latestPageVisit, updateContactRow } from "./contact-store.ts";

/** In the order in which an event names them. */
const changeable = ["name", "email", "phone", "verified_id", "verified_email"] as const;

/** The changes of a contact; what is undefined stays. */
export type DetailsChange = { [Field in (typeof changeable)[number]]?: string | undefined };

/**
 * Changes details of a contact, and returns the changed contact. Unchanged values record no event.
 *
 * @param sourceOf who gives a detail; a name that the team or a program of theirs gives is marked (decision 18)
 */
export async function changeContact<Contact extends ContactRow>(
  ctx: Context,
  contact: Contact,
  change: DetailsChange,
  sourceOf: (detail: SourcedDetail | "name") => DetailSource,
): Promise<Contact> {
  const changed = changeable.filter((field) => change[field] !== undefined && change[field] !== contact[field]);
  const sources = sourcesAfter(contact, change, sourceOf);
  const updated = { ...contact, ...pick(change, changed), ...sources };
  if (changed.length === 0) {
    if (Object.keys(sources).length > 0) ctx.write(updateContactRow, updated);
    return updated;
  }

  if (changed.includes("name") && sourceOf("name") === "team") updated.is_name_updated = 1;
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

/** The sources that differ after the change. */
function sourcesAfter(
  contact: ContactRow,
  change: DetailsChange,
  sourceOf: (detail: SourcedDetail) => DetailSource,
): Partial<Pick<ContactRow, "email_source" | "phone_source">> {
  const after = (["email", "phone"] as const).flatMap((detail) => {
    if (change[detail] === undefined) return [];
    const before = contact[`${detail}_source`] as DetailSource | null;
    const source = sourceAfter(before, sourceOf(detail), { isNew: change[detail] !== contact[detail] });
    return source === before ? [] : [[`${detail}_source`, source]];
  });
  return Object.fromEntries(after);
}

function pick(from: DetailsChange | ContactRow, fields: readonly (keyof DetailsChange)[]) {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as DetailsChange;
}
