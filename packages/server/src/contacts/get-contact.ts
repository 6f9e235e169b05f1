import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { maySeeContact } from "../access/visible.ts";
import type { Context, Operation } from "../context.ts";
import { listedContactById } from "./contact-store.ts";
import { pageVisitsOf, type WholeContact } from "./list-contacts.ts";

/** One contact. Specification: GET /contacts/{id}. */
export const getContact: Operation<{ contactId: string }, WholeContact> = {
  name: "get-contact",
  mode: "read",
  run: (ctx, { contactId }) => wholeContact(ctx, contactId),
};

/**
 * A contact of the team with everything its attributes need.
 *
 * @throws Refusal `not-found`
 */
export async function wholeContact(ctx: Context, contactId: string): Promise<WholeContact> {
  const id = canonicalId(contactId);
  const contact = id && (await ctx.db.first(listedContactById, { team_id: ctx.teamId, id }));
  if (!contact || !(await maySeeContact(ctx, contact))) throw notFound("contact");
  const visits = await pageVisitsOf(ctx, [contact]);
  return { contact, pageVisits: visits.get(contact.id) ?? [] };
}
