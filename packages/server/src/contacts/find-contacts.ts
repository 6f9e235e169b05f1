import type { Operation } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { contactNeedle, everyone, firstOfSearch } from "./contact-search.ts";

/**
 * The contacts that the actor may see and a search finds (`contact-search.ts`); last activity first. A query of which nothing is
 * left to compare is no filter (decision 1). Specification: the tool search-contacts.
 */
export const findContacts: Operation<{ query: string; limit: number }, ContactRow[]> = {
  name: "find-contacts",
  mode: "read",
  oneAtATime: () => true,
  run: (ctx, { query, limit }) => firstOfSearch(ctx, contactNeedle(query) ?? everyone, limit),
};
