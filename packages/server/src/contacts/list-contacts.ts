import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Context, Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import { listStart } from "../lists/list-start.ts";
import { listParam } from "../storage/dialect.ts";
import type { PageVisitRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { contactNeedle, searchContacts } from "./contact-search.ts";
import { contactPage, type ListedContactRow, pageVisitsOfContacts } from "./contact-store.ts";

/** A contact with everything its attributes need. */
export interface WholeContact {
  contact: ListedContactRow;
  pageVisits: PageVisitRow[];
}

/**
 * The team's contacts, last activity first; with `search` those that it finds (`contact-search.ts`). `withPageVisits`: whether
 * `page_visited` was requested. Specification: GET /contacts.
 */
export const listContacts: Operation<
  PageRequest & { search: string | undefined; withPageVisits: boolean },
  Listed<WholeContact>
> = {
  name: "list-contacts",
  mode: "read",
  oneAtATime: ({ search }) => search !== undefined,
  async run(ctx, { search, withPageVisits, ...page }) {
    const needle = contactNeedle(search ?? "");
    const { rows, total } =
      needle === undefined ? await everyContact(ctx, page) : await searchContacts(ctx, page, needle);
    const visits = withPageVisits ? await pageVisitsOf(ctx, rows) : new Map<string, PageVisitRow[]>();
    return { rows: rows.map((contact) => ({ contact, pageVisits: visits.get(contact.id) ?? [] })), total };
  },
};

/** The page visits of these contacts by contact id, each oldest first. */
export async function pageVisitsOf(
  ctx: Context,
  contacts: readonly { id: string }[],
): Promise<Map<string, PageVisitRow[]>> {
  if (contacts.length === 0) return new Map();
  const ids = listParam(contacts.map(({ id }) => id));
  return Map.groupBy(
    await ctx.db.all(pageVisitsOfContacts, { team_id: ctx.teamId, contact_ids: ids }),
    (visit) => visit.contact_id,
  );
}

async function everyContact(ctx: Context, page: PageRequest): Promise<Listed<ListedContactRow>> {
  const { limit, offset } = pageWindow(page);
  const [counters, rows] = await Promise.all([countersOf(ctx), contactsAt(ctx, offset, limit)]);
  return { rows, total: counters.contacts };
}

async function contactsAt(ctx: Context, offset: number, limit: number): Promise<ListedContactRow[]> {
  const start = await listStart(ctx, "contacts", offset);
  if (!start) return [];
  return ctx.db.all(contactPage, { team_id: ctx.teamId, before: start.before, limit, offset: start.skip });
}
