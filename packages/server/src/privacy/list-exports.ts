import { findContact } from "../contacts/find-contact.ts";
import type { Operation } from "../context.ts";
import { exportsOfContact } from "./export-store.ts";
import { type ShownExport, shownExport } from "./shown-export.ts";

/**
 * The exports of a contact, the newest first.
 *
 * @throws Refusal `not-found` for the contact
 */
export const listExports: Operation<{ contactId: string; exportsUrl: string }, ShownExport[]> = {
  name: "list-exports",
  mode: "read",
  async run(ctx, { contactId, exportsUrl }) {
    const { id } = await findContact(ctx, contactId);
    const rows = await ctx.db.all(exportsOfContact, { team_id: ctx.teamId, contact_id: id });
    return rows.map((row) => shownExport(ctx, row, exportsUrl));
  },
};
