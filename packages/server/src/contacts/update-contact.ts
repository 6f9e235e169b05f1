import { nothingToChange } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { changeContact } from "./change-contact.ts";
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
  async run(ctx, { contactId, change: { name, email, phone } }) {
    const { contact, pageVisits } = await wholeContact(ctx, contactId);
    if ((name ?? email ?? phone) === undefined) {
      throw nothingToChange(changeable);
    }
    return { contact: await changeContact(ctx, contact, { name, email, phone }, () => "team"), pageVisits };
  },
};
