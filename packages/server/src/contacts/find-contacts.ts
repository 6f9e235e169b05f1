import type { Operation } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { firstOfSearch, foldContactSearch } from "./contact-search.ts";

/**
 * The contacts that the actor may see whose name, e-mail or phone digits contain `query`, or whose id it is; last activity
 * first. A query of white space alone is no filter (decision 1). Specification: the tool search-contacts.
 */
export const findContacts: Operation<{ query: string; limit: number }, ContactRow[]> = {
  name: "find-contacts",
  mode: "read",
  oneAtATime: () => true,
  run: (ctx, { query, limit }) => firstOfSearch(ctx, foldContactSearch(query), limit),
};
