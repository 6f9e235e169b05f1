import { type PageRequest, pagination } from "@frontdesk/core/domain/page";
import type { Listed } from "../list.ts";

/** The body of a list: `data`, `meta.pagination` and `links` (specification, "Pagination"). */
export function listBody<Row, Item>(
  url: URL,
  page: PageRequest,
  { rows, total }: Listed<Row>,
  present: (row: Row) => Item,
) {
  const meta = { pagination: pagination(page, total, rows.length) };
  const { total_pages: last } = meta.pagination;
  return {
    data: rows.map(present),
    meta,
    links: {
      self: linkTo(url, page.page, page.limit),
      first: linkTo(url, 1, page.limit),
      last: linkTo(url, last, page.limit),
      next: page.page < last ? linkTo(url, page.page + 1, page.limit) : null,
    },
  };
}

/** The page a query asks for; its schema has filled in the list's defaults. */
export function pageOf(query: { page?: number; limit?: number }): PageRequest {
  const { page, limit } = query;
  if (page === undefined || limit === undefined) throw new Error("The schema of a list gives page and limit.");
  return { page, limit };
}

/** The same list with the same filters, at another page. */
function linkTo(url: URL, page: number, limit: number): string {
  const link = new URL(url);
  link.searchParams.set("page", String(page));
  link.searchParams.set("limit", String(limit));
  return link.href;
}
