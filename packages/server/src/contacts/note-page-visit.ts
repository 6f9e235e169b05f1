import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { PageVisitRow } from "../storage/tables.ts";
import { deletePageVisit, insertPageVisit, pageVisitsOfContacts } from "./contact-store.ts";

/** How many page visits of a contact are stored: the first one, which led here, and the latest. */
export const PAGE_VISITS_MAX = 100;

/** Visitors have opened a page, one each. Staying on the last page is not another visit. */
export async function notePageVisits(
  ctx: Context,
  visits: readonly { contactId: string; page: string }[],
): Promise<void> {
  if (visits.length === 0) return;
  const team_id = ctx.teamId;
  const contact_ids = listParam(visits.map(({ contactId }) => contactId));
  const known = await ctx.db.all(pageVisitsOfContacts, { team_id, contact_ids });
  const ofContact = Map.groupBy(known, ({ contact_id }) => contact_id);
  for (const { contactId, page } of visits) noteVisit(ctx, ofContact.get(contactId) ?? [], contactId, page);
}

function noteVisit(ctx: Context, before: readonly PageVisitRow[], contact_id: string, page: string): void {
  const team_id = ctx.teamId;
  if (before.at(-1)?.page === page) return;
  for (const { id } of before.slice(1, Math.max(1, before.length - PAGE_VISITS_MAX + 2))) {
    ctx.write(deletePageVisit, { team_id, contact_id, id });
  }
  ctx.write(insertPageVisit, { team_id, contact_id, id: ctx.newId(), page, visited_at: ctx.now });
}
