import { foldText, searchText } from "@frontdesk/core/domain/folded-text";
import { phoneDigits } from "@frontdesk/core/domain/phone";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { updateContactRow } from "./contact-store.ts";
import { wholeContact } from "./get-contact.ts";
import type { WholeContact } from "./list-contacts.ts";

const changeable = ["name", "email", "phone"] as const;

export type ContactChange = Partial<Record<(typeof changeable)[number], string>>;

/**
 * Sets name, e-mail and phone, those that are given. A changed name sets `is_name_updated` (decision 18). Values that
 * are already so record no event. Specification: PUT /contacts/{id}.
 */
export const updateContact: Operation<{ contactId: string; change: ContactChange }, WholeContact> = {
  name: "update-contact",
  mode: "write",
  async run(ctx, { contactId, change }) {
    const { contact, pageVisits } = await wholeContact(ctx, contactId);
    const named = changeable.filter((field) => change[field] !== undefined);
    if (named.length === 0) throw invalid(Object.fromEntries(changeable.map((field) => [field, NOTHING_NAMED])));

    const changed = named.filter((field) => change[field] !== contact[field]);
    if (changed.length === 0) return { contact, pageVisits };

    const updated = { ...contact, ...pick(change, changed) };
    if (changed.includes("name")) updated.is_name_updated = 1;
    updated.email_folded = updated.email && foldText(updated.email);
    updated.phone_digits = phoneDigits(updated.phone);
    updated.search_text = searchText(updated.name, updated.email);
    ctx.write(updateContactRow, {
      team_id: ctx.teamId,
      id: contact.id,
      name: updated.name,
      email: updated.email,
      email_folded: updated.email_folded,
      phone: updated.phone,
      phone_digits: updated.phone_digits,
      search_text: updated.search_text,
      is_name_updated: updated.is_name_updated,
    });
    ctx.record({
      name: "contact.updated",
      contact: updated,
      previous: pick(contact, changed),
      current: pick(updated, changed),
      source: pageVisits.at(-1)?.page,
    });
    return { contact: updated, pageVisits };
  },
};

const NOTHING_NAMED = "Please send at least one of name, email and phone.";

function pick(from: ContactChange | ContactRow, names: readonly (typeof changeable)[number][]) {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as ContactChange;
}
