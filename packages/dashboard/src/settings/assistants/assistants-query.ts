import { eachItem } from "@frontdesk/client";
import type { Assistant } from "@frontdesk/core/contract/resources";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";

/** A page of a list, and its cursor. */
interface Page {
  links: { next: string | null };
  meta: { pagination: { current_page: number } };
}

/** The other query parameters of a paged list. */
export const byPages = {
  initialPageParam: 1,
  getNextPageParam: ({ links, meta }: Page) => (links.next ? meta.pagination.current_page + 1 : undefined),
};

export const assistantsQuery = queryOptions({
  queryKey: ["assistants"],
  async queryFn() {
    const found: Assistant[] = [];
    for await (const assistant of eachItem(rest.listAssistants, { query: { limit: 100 } })) found.push(assistant);
    return found;
  },
});

export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: ["assistants", id],
    queryFn: () => rest.getAssistant({ params: { assistant: id } }).then(({ data }) => data),
  });

/** They change only with the server's version. */
export const permissionsQuery = queryOptions({
  queryKey: ["assistant-permissions"],
  queryFn: () => rest.listAssistantPermissions().then(({ data }) => data),
  staleTime: Number.POSITIVE_INFINITY,
});

/** All queries of one assistant have keys below the list's. */
export const assistantsChanged = () => queries.invalidateQueries({ queryKey: assistantsQuery.queryKey });
