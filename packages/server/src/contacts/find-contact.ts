import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { maySeeContact } from "../access/visible.ts";
import type { Context } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { contactById } from "./contact-store.ts";

/**
 * A contact of the team.
 *
 * @throws Refusal `not-found`, the same for a missing one, another team's, and a text that is not an id
 */
export async function findContact(ctx: Context, contactId: string): Promise<ContactRow> {
  const id = canonicalId(contactId);
  const contact = id && (await ctx.db.first(contactById, { team_id: ctx.teamId, id }));
  if (!contact || !(await maySeeContact(ctx, contact))) throw notFound("contact");
  return contact;
}
