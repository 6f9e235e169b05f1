import { type PageRequest, pagination } from "@frontdesk/core/domain/page";
import type { Listed } from "../../list.ts";

/** The body of a list: `data`, `meta.pagination` and `links` (specification, "Pagination"). */
export function listBody<Row, Item>(
  url: URL,
  page: PageRequest,
  { rows, total }: Listed<Row>,
  present: (row: Row) => Item,
) {
  const meta = { pagination: pagination(page, total, rows.length) };
  const { total_pages: last } = meta.pagination;
  const linkTo = linksTo(url, page.limit);
  return {
    data: rows.map(present),
    meta,
    links: {
      self: linkTo(page.page),
      first: linkTo(1),
      last: linkTo(last),
      next: page.page < last ? linkTo(page.page + 1) : null,
    },
  };
}

/** The page that a query asks for; its schema has filled in the list's defaults. */
export function pageOf(query: { page?: number; limit?: number }): PageRequest {
  const { page, limit } = query;
  if (page === undefined || limit === undefined) throw new Error("The schema of a list gives page and limit.");
  return { page, limit };
}

/** Makes links to the same list with the same filters, at any of its pages. */
function linksTo(url: URL, limit: number): (page: number) => string {
  const filters = new URLSearchParams(url.search);
  filters.delete("page");
  filters.delete("limit");
  const start = `${url.origin}${url.pathname}?${filters.size > 0 ? `${filters}&` : ""}page=`;
  return (page) => `${start}${page}&limit=${limit}`;
}
