import type { Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { deletePageVisit, insertPageVisit, pageVisitsOfContacts } from "./contact-store.ts";

/** Page visits that are kept of a contact: the first one, which led here, and the latest. */
export const PAGE_VISITS_MAX = 100;

/** A visitor has come to a page. Staying on the page of the last visit is no other one. */
export const notePageVisit: Operation<{ contactId: string; page: string }, void> = {
  name: "note-page-visit",
  mode: "write",
  async run(ctx, { contactId, page }) {
    const team_id = ctx.teamId;
    const visits = await ctx.db.all(pageVisitsOfContacts, { team_id, contact_ids: listParam([contactId]) });
    if (visits.at(-1)?.page === page) return;
    for (const { id } of visits.slice(1, Math.max(1, visits.length - PAGE_VISITS_MAX + 2))) {
      ctx.write(deletePageVisit, { team_id, contact_id: contactId, id });
    }
    ctx.write(insertPageVisit, { team_id, contact_id: contactId, id: ctx.newId(), page, visited_at: ctx.now });
  },
};
