import { inNameOrder } from "@frontdesk/core/domain/name-order";
import { findContact } from "../contacts/find-contact.ts";
import type { Operation } from "../context.ts";
import { type CustomValueRow, customDataOfContact } from "./custom-data-store.ts";

/**
 * The custom data of a contact by name.
 *
 * @throws Refusal `not-found` for the contact
 */
export const listCustomData: Operation<{ contactId: string }, CustomValueRow[]> = {
  name: "list-custom-data",
  mode: "read",
  async run(ctx, { contactId }) {
    const contact = await findContact(ctx, contactId);
    return inNameOrder(await ctx.db.all(customDataOfContact, { team_id: ctx.teamId, contact_id: contact.id }));
  },
};
